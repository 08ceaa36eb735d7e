import { useEffect, useState } from 'react'
import { addressOf, requestHeaders } from '../api/client.ts'

/**
 * The address of a plan's image in this page: the request needs headers that an `img` does not send. An
 * image of this kind runs nothing.
 */
export function usePlanImage(id: number, revision: number): string | undefined {
  const [address, setAddress] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is another image
  useEffect(() => {
    const end = new AbortController()
    let made: string | undefined
    read(id, end.signal).then(
      (image) => {
        made = URL.createObjectURL(image)
        setAddress(made)
      },
      // The devices on the plan are still there.
      () => {},
    )
    return () => {
      end.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [id, revision])
  return address
}

async function read(id: number, signal: AbortSignal): Promise<Blob> {
  const address = addressOf('GET /floor-plans/{plan_id}/image', { plan_id: id })
  const headers = { ...requestHeaders(), accept: 'image/*' }
  const response = await fetch(address, { headers, signal })
  if (!response.ok) throw new Error(`The image answered ${response.status}.`)
  return response.blob()
}
