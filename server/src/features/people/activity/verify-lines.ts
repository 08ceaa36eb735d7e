import { type AuditLine, type ChainPlace, chainStart } from './chain-record.ts'
import { findFault, type Verification } from './verify-chain.ts'

/** What a file of exported lines came to. */
export interface FileVerification extends Verification {
  organizationId: number | undefined
  /** Behind which place the file begins. */
  first: ChainPlace
}

/** Checks exported lines: each must follow the one before, and all be of one organization. */
export async function verifyLines(texts: AsyncIterable<string>): Promise<FileVerification> {
  let first: ChainPlace = chainStart
  let last: ChainPlace = chainStart
  let organizationId: number | undefined
  let number = 0
  const end = (message: string | undefined, position = last.position + 1): FileVerification => ({
    organizationId,
    first,
    last,
    records: last.position - first.position,
    fault: message === undefined ? undefined : { position, message },
  })
  for await (const text of texts) {
    number += 1
    const line = readLine(text)
    if (!line) return end(`Line ${number} is no record of an activity.`)
    if (number === 1) {
      organizationId = Number(line.organization_id)
      first = { position: line.position - 1, hash: line.previous }
      last = first
      if (first.position === 0 && first.hash !== chainStart.hash) {
        return end('Record 1 names a record before it.')
      }
    }
    if (line.organization_id !== organizationId) {
      return end(`Line ${number} is of another organization.`)
    }
    const fault = findFault(line, last)
    if (fault) return end(fault.message, fault.position)
    last = { position: line.position, hash: line.hash }
  }
  return end(undefined)
}

function readLine(text: string): AuditLine | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { position, previous, hash, organization_id } = value as Record<string, unknown>
  const isPlaced = Number.isSafeInteger(position) && Number.isSafeInteger(organization_id)
  const isHashed = typeof previous === 'string' && typeof hash === 'string'
  return isPlaced && isHashed ? (value as AuditLine) : undefined
}
