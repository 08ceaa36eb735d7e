import type { AnswerOf } from '../../clients/typescript/src/client.ts'

type Data<O extends 'getFleetDevice' | 'getDeviceAlerts' | 'getDeviceRadio' | 'getDeviceBattery'> =
  AnswerOf<O>['data']

/** What is known of a device, its radio being that of the week before its last frame. */
export interface Known {
  page: Data<'getFleetDevice'>
  alerts: Data<'getDeviceAlerts'>
  radio: Data<'getDeviceRadio'>
  battery: Data<'getDeviceBattery'>
}

/** A share of lost frames that points to the radio. */
const muchLoss = 0.2

/**
 * Whether a device is silent by the service's verdict, and each fact that may explain it, the most telling first.
 * `lastHeard` is the last contact of the organization's own gateways by EUI; `now` in milliseconds.
 */
export function explainSilence(
  known: Known,
  lastHeard: ReadonlyMap<string, string | null>,
  now: number,
) {
  const { last_seen: lastSeen } = known.page
  const silentFor = lastSeen === null ? null : Math.round((now - Date.parse(lastSeen)) / 1000)
  const isSilent = known.page.verdict.state === 'silent'
  const findings = [
    ...explainRegistration(known),
    ...explainGateways(known, lastHeard),
    ...explainBattery(known),
    ...explainRadio(known),
  ]
  return {
    is_silent: isSilent,
    last_seen: lastSeen,
    silent_seconds: silentFor,
    usual_interval_seconds: known.alerts.interval_seconds,
    findings:
      findings.length > 0 || !isSilent
        ? findings
        : [
            'Nothing is known that explains it: registration, account, battery and gateways look well. The device may be without power, moved or shielded.',
          ],
    gateways_before: known.radio.gateways.map(
      ({ gateway_eui: eui, name, last_heard, uplinks }) => ({
        eui,
        name,
        heard_device_last: last_heard,
        uplinks,
        last_contact: lastHeard.get(eui) ?? null,
      }),
    ),
  }
}

function explainRegistration({ page }: Known): string[] {
  const { account, quarantined, waiting_call: call } = page
  const found: string[] = []
  if (page.device_register_status === 'register_error') {
    found.push(`The network refused the registration: ${page.api_error ?? 'no reason is known'}`)
  }
  if (page.device_register_status === 'pending') {
    found.push(
      `The registration is not done yet${call?.last_error ? `, the last try failed: ${call.last_error}` : '.'}`,
    )
  }
  if (!page.is_active) found.push('The device is inactive here.')
  if (account && account.status !== 'connected') {
    found.push(`The account at ${page.network.name} is ${account.status}: ${account.message}`)
  }
  if (account?.difference?.difference) {
    found.push(`The network has it differently: ${account.difference.difference}.`)
  }
  if (quarantined) {
    found.push(
      `${quarantined.count} messages of its EUI are in quarantine, the last at ${quarantined.received_at}: ${quarantined.detail}`,
    )
  }
  if (page.last_seen === null) found.push('It was never heard since its registration.')
  return found
}

function explainGateways({ page, radio }: Known, lastHeard: ReadonlyMap<string, string | null>) {
  const own = radio.gateways.filter(({ gateway_eui: eui }) => lastHeard.get(eui))
  if (page.last_seen === null || own.length === 0) return []
  const lastSeen = Date.parse(page.last_seen)
  // A gateway that has heard nothing of anybody since may be the cause.
  const quiet = own.filter(
    ({ gateway_eui: eui }) => Date.parse(lastHeard.get(eui) ?? '') <= lastSeen,
  )
  if (quiet.length === 0) return []
  const names = quiet.map(({ name, gateway_eui: eui }) => name ?? eui).join(', ')
  const isAll = quiet.length === radio.gateways.length
  return [
    isAll
      ? `All gateways that heard it have been silent since then, too: ${names}. Look at the gateways first.`
      : `${quiet.length} of ${radio.gateways.length} gateways that heard it have been silent since then, too: ${names}.`,
  ]
}

function explainBattery({ page, battery }: Known): string[] {
  const { latest, trend, unit } = battery
  const value = latest
    ? ` (${latest.value} ${unit ?? ''} at ${latest.time})`.replace(' )', ')')
    : ''
  if (trend.state === 'empty') return [`The battery is empty${value}.`]
  if (page.low_battery) return [`The battery was low${value}.`]
  if (trend.empty_at && page.last_seen && trend.empty_at < page.last_seen) {
    return [`By its trend the battery was empty at ${trend.empty_at}${value}.`]
  }
  return []
}

function explainRadio({ radio }: Known): string[] {
  const found: string[] = []
  if (radio.loss !== null && radio.loss >= muchLoss) {
    found.push(
      `In the week before its last frame ${Math.round(radio.loss * 100)} % of its frames were lost (${radio.lost} of ${radio.lost + radio.received}).`,
    )
  }
  const [only] = radio.gateways
  if (radio.gateways.length === 1 && only) {
    found.push(`It depends on a single gateway: ${only.name ?? only.gateway_eui}.`)
  }
  return found
}
