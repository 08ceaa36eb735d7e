/** The sections of the contract, and what lies beyond it, by the URLs that belong to them. */
const sections: readonly (readonly [string, RegExp])[] = [
  ['Uplinks', /\/uplink$/],
  ['Alerts', /^\/(alerts|alert-rules)\b|\/alerts(\/mute)?$/],
  ['Measurements', /^\/devices\/:device_id\/(measurements|radio|battery|airtime)$/],
  ['Frames', /^\/frames\b|\/frame$/],
  ['Moves between networks', /^\/moves\b|^\/devices\/:device_id\/move$/],
  ['Downlinks', /^\/devices\/:device_id\/(configure|downlinks?)|^\/fleet\/downlinks$/],
  [
    'Devices',
    /^\/(devices|get-device-types|get-devices-summary|network-data|device-regions-networks|configurations|batch-device-requests)\b/,
  ],
  ['Coverage', /^\/fleet\/(coverage\b|gateways\/:gateway_id\/(radio|sole-devices)$)/],
  ['Device types', /^\/(device-types|catalogue)\b/],
  ['Gateways', /^\/(gateways|fleet\/gateways|batch-gateway-requests)\b/],
  ['Groups', /^\/(device-groups|fleet\/groups|groups|batch-group-requests)\b/],
  ['Billing', /^\/subscription\b/],
  [
    'Authentication',
    /^\/(auth|user|logout|confirm-password-access|generate-qr-image|verify-two-factor-authentication|complete-verification|disable-authentication)\b/,
  ],
  ['Network accounts', /^\/(network-accounts|callbacks|fleet\/networks)\b/],
  ['Jobs', /^\/jobs\b/],
  ['Webhooks', /^\/webhooks\b/],
  ['API keys', /^\/api-keys\b/],
  ['Live events', /^\/events$/],
  ['Organizations', /^\/organizations?\b/],
  ['Fleet', /^\/fleet\b/],
]

/** The section of a URL of the route table; throws for one that has none yet. */
export function sectionOf(url: string): string {
  const section = sections.find(([, pattern]) => pattern.test(url))
  if (!section) throw new Error(`no section of the API reference holds ${url}`)
  return section[0]
}
