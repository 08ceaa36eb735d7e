import { useState } from 'react'

/** Starts a job from a dialog, which stays open and says why when it is refused. */
export function useStart(onStarted: (jobId: number) => void) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const start = async (act: () => Promise<number>) => {
    setBusy(true)
    setError(undefined)
    try {
      onStarted(await act())
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return { isBusy, error, start }
}
