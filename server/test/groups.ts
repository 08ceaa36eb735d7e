import assert from 'node:assert/strict'
import type { Login, TestService } from './service.ts'

/** For tests: devices and groups, made through the API. */

export const testDeviceKey = '00112233445566778899AABBCCDDEEFF'

/** A device of the console only; `number` makes its DevEUI. Its id. */
export async function addDevice(
  service: TestService,
  number: number,
  as: Login = service.owner,
  changes: Record<string, unknown> = {},
): Promise<number> {
  const body = {
    network: 10,
    deviceName: `Gate ${number}`,
    deviceId: testEui(number),
    deviceKey: testDeviceKey,
    deviceType: 16,
    registerMethod: 'user_account',
    consoleOnly: true,
    action: 'confirm',
    ...changes,
  }
  const answer = await service.call('POST', '/v1/devices', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.device.id
}

export function testEui(number: number): string {
  return `00AA${String(number).padStart(12, '0')}`
}

/** A new group; its id. */
export async function addGroup(
  service: TestService,
  name: string,
  more: { selectedGroup?: number | null; selectedDevices?: number[] } = {},
  as: Login = service.owner,
): Promise<number> {
  const body = { groupName: name, ...more }
  const answer = await service.call('POST', '/v1/device-groups', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.id
}

export interface Outline {
  [name: string]: Outline
}

interface Branch {
  groupName: string
  children: Branch[]
}

/** The names of the whole list, nested as its groups are. */
export async function outline(service: TestService, as: Login = service.owner): Promise<Outline> {
  const answer = await service.call('GET', '/v1/device-groups', { as })
  assert.equal(answer.status, 200, answer.text)
  return outlineOf(answer.body.data)
}

function outlineOf(branches: Branch[]): Outline {
  return Object.fromEntries(
    branches.map(({ groupName, children }) => [groupName, outlineOf(children)]),
  )
}
