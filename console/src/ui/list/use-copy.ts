import { type MouseEvent, useEffect, useState } from 'react'

/** Copies what a clicked element names in `data-copy`, and says so for a moment. */
export function useCopy() {
  const [copied, setCopied] = useState('')
  useEffect(() => {
    if (copied === '') return
    const timer = setTimeout(() => setCopied(''), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const onCopyClick = (event: MouseEvent<HTMLElement>) => {
    const value = (event.target as Element).closest<HTMLElement>('[data-copy]')?.dataset.copy
    if (value === undefined) return
    navigator.clipboard?.writeText(value).then(
      () => setCopied(value),
      () => {},
    )
  }
  return { copied, onCopyClick }
}
