import type { Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'

export interface ArrivalFacts {
  device: Schemas['DevicePage']
  arrival: Schemas['Arrival']
}

export interface Step {
  title: string
  state: 'done' | 'now' | 'later' | 'failed'
  /** What is known of it. */
  note?: string | undefined
  time?: string | null
}

/** The way of a device from its registration to its first uplink. */
export function stepsOf({ device, arrival }: ArrivalFacts): Step[] {
  const { device_register_status: status, network, api_error, account } = device
  const isHere = arrival.first_uplink !== null
  const isAccepted = status === 'active' || isHere
  const hasJoined = arrival.joined_at !== null
  const isLocal = device.is_console_only
  return [
    { title: t('Registered here'), state: 'done', time: arrival.created_at },
    {
      title: isLocal ? t('Recorded here only') : t('Accepted by {name}', { name: network.name }),
      state: isAccepted ? 'done' : status === 'register_error' ? 'failed' : 'now',
      note: isAccepted ? undefined : (api_error ?? account?.message) || waitingWords(device),
    },
    {
      title: t('First join'),
      state: hasJoined || isHere ? 'done' : isAccepted ? 'now' : 'later',
      time: arrival.joined_at,
      note: !hasJoined && isHere ? t('The network did not report it.') : undefined,
    },
    {
      title: t('First uplink'),
      state: isHere ? 'done' : hasJoined ? 'now' : 'later',
      time: arrival.first_uplink?.time ?? null,
    },
  ]
}

function waitingWords({ network, waiting_call: call }: Schemas['DevicePage']): string {
  if (call?.last_error)
    return t('{lasterror} It is retried automatically.', { lasterror: call.last_error })
  return t('Registering at {name}.', { name: network.name })
}
