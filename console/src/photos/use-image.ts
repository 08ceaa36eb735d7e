import { useEffect, useState } from 'react'
import { requestHeaders } from '../api/client.ts'

/** Milliseconds after which an image that could not be read is asked for again. */
const pause = 60_000

/**
 * What an `img` shows of an image of the API: the request needs headers that an `img` does not send. An image
 * of this kind runs nothing. `linkPass` is that of a link with a password. Another address, even by what stands behind `#`, is another image.
 */
export function useImage(address: string, linkPass?: string): string | undefined {
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    const end = new AbortController()
    let made: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      read(address, linkPass, end.signal).then(
        (image) => {
          if (end.signal.aborted) return
          made = URL.createObjectURL(image)
          setShown(made)
        },
        // What stands beside it or on it is still there.
        () => {
          if (!end.signal.aborted) timer = setTimeout(load, pause)
        },
      )
    void load()
    return () => {
      end.abort()
      clearTimeout(timer)
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [address, linkPass])
  return shown
}

async function read(
  address: string,
  linkPass: string | undefined,
  signal: AbortSignal,
): Promise<Blob> {
  const pass = linkPass === undefined ? {} : { 'x-link-pass': linkPass }
  const headers = { ...requestHeaders(), ...pass, accept: 'image/*' } as Record<string, string>
  const response = await fetch(address, { headers, signal })
  if (!response.ok) throw new Error(`The image answered ${response.status}.`)
  return response.blob()
}
