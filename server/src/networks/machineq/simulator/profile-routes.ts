// API v1, profiles: OlegZv/machineq, core/{service,device,output}_profile.
import type { FarAnswer, FarCall, FarRoute } from '../../simulator/far-http.ts'
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
} from './machineq-store.ts'

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
        follow(side, store)
        return ok()
      }),
    ],
    [
      'DELETE',
      `${path}/:id`,
      aboutProfile(({ Id }) => {
        store.outputProfiles.delete(Id)
        follow(side, store)
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
  follow(side, store)
  return ok({ Id })
}

function toDestinations({ random }: Side, sent: readonly Partial<Destination>[]): Destination[] {
  return sent.map((one) => ({
    ...one,
    URL: String(one.URL ?? ''),
    DestinationId: one.DestinationId ?? random.uuid(),
  }))
}

/** Messages go to the latest destination; the real one sends to each of the device's profile. */
function follow(side: Side, { outputProfiles }: Store) {
  const latest = [...outputProfiles.values()].flatMap(({ RestParams }) => RestParams).at(-1)
  side.callback = latest && {
    url: latest.URL,
    header: latest.TokenType ?? 'authorization',
    value: latest.TokenValue ?? '',
  }
}
