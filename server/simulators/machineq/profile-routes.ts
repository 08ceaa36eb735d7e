// API v1, profiles: OlegZv/machineq, core/{service,device,output}_profile.

import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarMessage } from '../far-dialect.ts'
import {
  type Destination,
  deviceProfile,
  membersOf,
  type OutputProfile,
  ok,
  refuse,
  type Side,
  type Store,
  serviceProfile,
} from './store.ts'

export function createProfileRoutes(side: Side, store: Store): FarRoute[] {
  const aboutProfile =
    (handle: (profile: OutputProfile, call: FarCall) => FarAnswer): FarRoute[2] =>
    (call) => {
      const profile = store.outputProfiles.get(call.params.id ?? '')
      return profile ? handle(profile, call) : refuse(5, 'OutputProfile not found')
    }
  const one = { Name: 'Standard', Description: '' }
  const path = '/v1/outputprofiles'
  return [
    ['GET', '/v1/serviceprofiles', () => ok({ ServiceProfiles: [{ Id: serviceProfile, ...one }] })],
    ['GET', '/v1/deviceprofiles', () => ok({ DeviceProfiles: [{ Id: deviceProfile, ...one }] })],
    ['GET', path, () => ok({ OutputProfiles: [...store.outputProfiles.values()] })],
    ['POST', path, (call) => createProfile(side, store, call)],
    ['GET', `${path}/:id`, aboutProfile((profile) => ok(profile))],
    [
      'PATCH',
      `${path}/:id`,
      aboutProfile((profile, call) => {
        const { RestParams } = membersOf(call)
        if (Array.isArray(RestParams)) profile.RestParams = toDestinations(side, RestParams)
        followProfiles(side, store)
        return ok()
      }),
    ],
    [
      'DELETE',
      `${path}/:id`,
      aboutProfile(({ Id }) => {
        store.outputProfiles.delete(Id)
        followProfiles(side, store)
        return ok()
      }),
    ],
  ]
}

function createProfile(side: Side, store: Store, call: FarCall): FarAnswer {
  const { Name, RestParams } = membersOf(call)
  if (typeof Name !== 'string' || Name === '') return refuse(3, 'Name is required')
  const destinations = toDestinations(side, Array.isArray(RestParams) ? RestParams : [])
  if (destinations.some(({ URL: url }) => !URL.canParse(url))) return refuse(3, 'URL is invalid')
  const Id = side.random.uuid()
  const others = { MqttParams: [], AzureParams: [], AWSParams: [] }
  store.outputProfiles.set(Id, { Id, Name, RestParams: destinations, ...others })
  followProfiles(side, store)
  return ok({ Id })
}

function toDestinations({ random }: Side, sent: readonly Partial<Destination>[]): Destination[] {
  return sent.map((one) => ({
    ...one,
    URL: String(one.URL ?? ''),
    DestinationId: one.DestinationId ?? random.uuid(),
  }))
}

/** Sends the messages of a device to each destination of its profile. */
export function followProfiles(side: Side, { outputProfiles }: Store) {
  side.callbacks = [...outputProfiles.values()].flatMap(({ Id, RestParams }) =>
    RestParams.map(({ URL: url, TokenType, TokenValue }) => ({
      url,
      headers: { [TokenType ?? 'authorization']: TokenValue ?? '' },
      takes: ({ body }: FarMessage) => profileOf(side, body) === Id,
    })),
  )
}

function profileOf({ devices }: Side, body: unknown): string | undefined {
  const devEui = (body as { DevEUI?: string }).DevEUI
  return devices.get(devEui ?? '')?.record.OutputProfile
}
