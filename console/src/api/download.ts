import { t } from '../languages/text.ts'
import { ApiError, addressOf, requestHeaders } from './client.ts'
import { saveFile } from './save-file.ts'

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
    throw new ApiError(response.status, content.message ?? t('The service did not send the file.'))
  }
  saveFile(fileName, await response.blob())
}
