// Refusals of the simulated AWS IoT Wireless.
import { refuseAs } from '../aws/authorization.ts'
import type { FarAnswer } from '../far-call.ts'

export function invalid(message: string): FarAnswer {
  return refuseAs(400, 'ValidationException', message)
}

export function missing(kind: string): FarAnswer {
  return refuseAs(404, 'ResourceNotFoundException', `${kind} does not exist.`)
}

export function conflict(message: string): FarAnswer {
  return refuseAs(409, 'ConflictException', message)
}

/** Refuses a member that is not of so many hexadecimal digits; `name` is that of the API. */
export function checkDigits(value: unknown, name: string, count: number): FarAnswer | undefined {
  const isRight =
    typeof value === 'string' && value.length === count && /^[a-fA-F0-9]+$/.test(value)
  return isRight ? undefined : invalid(`${name} must match [a-fA-F0-9]{${count}}.`)
}
