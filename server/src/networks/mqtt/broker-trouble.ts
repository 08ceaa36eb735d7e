import { NetworkError } from '../network.ts'
import { plainReason } from '../plain-reason.ts'

/** CONNACK: a bad user name or password, and not authorized (MQTT 3.1.1, section 3.2.2.3). */
const loginCodes: readonly unknown[] = [4, 5]

/** What an error of the MQTT client tells of the broker, in words for the account's owner. */
export function toTrouble(error: Error & { code?: unknown }): NetworkError {
  const { code } = error
  if (typeof code === 'number') {
    const words = error.message.replace(/^Connection refused: /, '')
    return loginCodes.includes(code)
      ? unauthorized(`The MQTT broker refused the login: ${words}.`)
      : unreachable(`The MQTT broker refused the connection: ${words}.`)
  }
  // A WebSocket that is not granted, as AWS answers a wrong signature.
  const [, status] = /^Unexpected server response: (40[13])$/.exec(error.message) ?? []
  if (status) return unauthorized(`The MQTT broker refused the login: it answered ${status}.`)
  if (/^(connack|keepalive) timeout$/i.test(error.message)) {
    return unreachable('The MQTT broker does not answer.')
  }
  // Of a name with several addresses Node gives the code alone.
  const reason = plainReason(error.message || String(code ?? error.name))
  return unreachable(`The MQTT broker could not be reached: ${reason}.`)
}

export function unreachable(words: string): NetworkError {
  return new NetworkError('unreachable', words, { about: 'account', isUndone: true })
}

export function unauthorized(words: string): NetworkError {
  return new NetworkError('unauthorized', words, { about: 'account' })
}
