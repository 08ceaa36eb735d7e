import assert from 'node:assert/strict'
import { enrol, passSeconds } from './authenticator.ts'
import { joinMember, memberPassword } from './members.ts'
import type { TestService } from './service.ts'

/** For tests: members with two-factor, and their login. */

let members = 0
/** Makes a new member with two-factor, and returns a function that logs the member in. */
export async function protectedMember(service: TestService) {
  members += 1
  const member = await joinMember(service, `member-${members}@example.test`)
  const { secret, recoveryCodes } = await enrol(service, member, memberPassword)
  passSeconds(service, 30)
  const logIn = async (more: object = {}, from = '192.0.2.1') => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/auth/login',
      remoteAddress: from,
      payload: { email: member.email, password: memberPassword, ...more },
    })
    assert.notEqual(answer.statusCode, 500, answer.body)
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  const withCode = (code: string, from?: string) =>
    logIn({ verify_2fa: 'yes', authentication_code: code }, from)
  const withRecovery = (code: string | undefined, from?: string) =>
    logIn({ verify_2fa: 'no', recovery_code: code }, from)
  return { member, secret, recoveryCodes, logIn, withCode, withRecovery }
}

export const challenge = {
  status: false,
  mfa: true,
  auth_type: 'authenticator',
  message: '2 factor authentication has been enabled in your account. Please enter 2FA code.',
}
