import { ApiError, addressOf, requestHeaders } from './client.ts'

/** Reads a file of the API and lets the browser save it. A link could not name the organization. */
export async function downloadApi(
  operation: string,
  query: Record<string, unknown>,
  fileName: string,
  path: Record<string, string> = {},
): Promise<void> {
  // A spreadsheet knows UTF-8 by the mark.
  const marked = fileName.endsWith('.csv') ? { ...query, bom: '1' } : query
  const response = await fetch(addressOf(operation, path, marked), {
    headers: { ...requestHeaders(), accept: '*/*' },
    credentials: 'same-origin',
  })
  if (!response.ok) {
    const content: { message?: string } = await response.json().catch(() => ({}))
    throw new ApiError(response.status, content.message ?? 'The service did not send the file.')
  }
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
