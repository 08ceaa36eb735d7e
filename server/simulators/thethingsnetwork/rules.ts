// Rules for values in the proto files, api/ttn/lorawan/v3/*.proto (validate.rules).
import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall } from '../far-call.ts'
import { fail, invalid } from './errors.ts'
import { objectIn, pathsIn } from './store.ts'

type Fault = FarAnswer | undefined

const slug = '^[a-z0-9](?:[-]?[a-z0-9]){2,}$'
const host =
  '^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\\-]*[a-zA-Z0-9])\\.)*(?:[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\\-]*[A-Za-z0-9])(?::[0-9]{1,5})?$|^$'
const gatewayHost = `^([a-z]{2,5}://)?${host.slice(1)}`

/** Returns the refusal of the first value of a call that breaks the rules. */
export function findFault({ method, body, params, query, route }: FarCall): Fault {
  const ids = Object.entries(params).filter(([name]) => name !== 'owner')
  const inPath = ids.map(([name, id]) => matches(`${name}_id`, id, slug, 36))
  const sent = isObject(body) ? body : {}
  return first([
    ...inPath,
    checkMask(route, method === 'GET' ? (query.field_mask ?? '').split(',') : pathsIn(body)),
    sent.end_device === undefined ? undefined : checkDevice(objectIn(body, 'end_device')),
    sent.gateway === undefined ? undefined : checkGateway(objectIn(body, 'gateway')),
    sent.webhook === undefined ? undefined : checkWebhook(objectIn(body, 'webhook')),
    ...(Array.isArray(sent.downlinks) ? sent.downlinks.map(checkDownlink) : []),
  ])
}

function checkDevice(device: JsonObject): Fault {
  const ids = objectIn(device, 'ids')
  const servers = ['network_server_address', 'application_server_address', 'join_server_address']
  return first([
    checkEuis(ids),
    matches('end_device.ids.device_id', ids.device_id, slug, 36),
    isAtMost('end_device.name', device.name, 50),
    isAtMost('end_device.description', device.description, 2000),
    ...servers.map((name) => matches(`end_device.${name}`, device[name] ?? '', host)),
    isAtMost('end_device.frequency_plan_id', device.frequency_plan_id, 64),
    checkRadio(device),
  ])
}

const macVersion = /^MAC_(UNKNOWN|V1_0(_[1-4])?|V1_1)$/
const phyVersion = /^(PHY_|TS001_|RP001_|RP002_)\w+$/

/** Enumerations, addresses and keys are parsed before the rules are checked. */
function checkRadio(device: JsonObject): Fault {
  const { lorawan_version: mac, lorawan_phy_version: phy } = device
  if (mac !== undefined && !macVersion.test(String(mac))) return unreadable('lorawan_version')
  if (phy !== undefined && !phyVersion.test(String(phy))) return unreadable('lorawan_phy_version')
  const session = objectIn(device, 'session')
  const envelopes = [objectIn(device, 'root_keys'), objectIn(session, 'keys')]
  const keys = envelopes
    .flatMap((envelope) => Object.values(envelope))
    .filter(isObject)
    .map(({ key }) => [key, 32] as const)
  const isReadable = [[session.dev_addr, 8] as const, ...keys].every(
    ([text, length]) => text === undefined || isHexadecimal(text, length),
  )
  return isReadable ? undefined : unreadable('session')
}

function isHexadecimal(text: unknown, length: number): boolean {
  return new RegExp(`^[0-9A-Fa-f]{${length}}$`).test(String(text))
}

function checkGateway(gateway: JsonObject): Fault {
  const { ids, frequency_plan_ids: plans, gateway_server_address: server } = gateway
  return first([
    checkEuis(isObject(ids) ? ids : {}),
    matches('gateway.ids.gateway_id', isObject(ids) ? ids.gateway_id : '', slug, 36),
    isAtMost('gateway.name', gateway.name, 50),
    isAtMost('gateway.description', gateway.description, 2000),
    matches('gateway.gateway_server_address', server ?? '', gatewayHost),
    ...(Array.isArray(plans) ? plans : []).map((plan, index) =>
      isAtMost(`gateway.frequency_plan_ids[${index}]`, plan, 64),
    ),
  ])
}

const messages = /^(uplink|join|downlink|location|service)_/

function checkWebhook(webhook: JsonObject): Fault {
  const headers = Object.entries(objectIn(webhook, 'headers'))
  const { base_url: url, format } = webhook
  const paths = Object.entries(webhook).filter(([name]) => messages.test(name))
  const isUri = url === undefined || (typeof url === 'string' && URL.canParse(url))
  return first([
    matches('webhook.ids.webhook_id', objectIn(webhook, 'ids').webhook_id, slug, 36),
    isUri ? undefined : invalid('webhook.base_url', 'value must be absolute'),
    headers.length > 50
      ? invalid('webhook.headers', 'value must contain no more than 50 pair(s)')
      : undefined,
    ...headers.flatMap(([name, value]) => [
      isAtMost(`webhook.headers[${name}]`, name, 64),
      isAtMost(`webhook.headers[${name}]`, value, 4096),
    ]),
    format === undefined ? undefined : matches('webhook.format', format, slug, 20),
    ...paths.map(([name, message]) =>
      isAtMost(`webhook.${name}.path`, isObject(message) ? message.path : '', 64),
    ),
    isAtMost('webhook.downlink_api_key', webhook.downlink_api_key, 128),
  ])
}

const priorities = ['LOWEST', 'LOW', 'BELOW_NORMAL', 'NORMAL', 'ABOVE_NORMAL', 'HIGH', 'HIGHEST']

function checkDownlink(item: unknown, index: number): Fault {
  if (!isObject(item)) return unreadable('downlinks')
  const { f_port: port = 0, frm_payload: data = '', priority, correlation_ids: ids = [] } = item
  const path = `downlinks[${index}]`
  if (priority !== undefined && !priorities.includes(String(priority))) return unreadable(path)
  if (!Array.isArray(ids)) return unreadable(path)
  const length = Buffer.from(String(data), 'base64').length
  return first([
    Number(port) > 255
      ? invalid(`${path}.f_port`, 'value must be less than or equal to 255')
      : undefined,
    port === 224 ? invalid(`${path}.f_port`, 'value must not be in list [224]') : undefined,
    length > 255
      ? invalid(`${path}.frm_payload`, 'value length must be at most 255 bytes')
      : undefined,
    ...ids.map((id, at) => isAtMost(`${path}.correlation_ids[${at}]`, id, 100)),
  ])
}

/** EUIs are parsed before the rules are checked. */
function checkEuis({ dev_eui: device, join_eui: join, eui }: JsonObject): Fault {
  const all = [device, join, eui].filter((value) => value !== undefined)
  return all.every((value) => isHexadecimal(value, 16)) ? undefined : unreadable('ids')
}

/** Refuses a value that can't be parsed, without details. */
function unreadable(where: string): FarAnswer {
  return {
    status: 400,
    body: { code: 3, message: `proto: invalid value for ${where}`, details: [] },
  }
}

function matches(path: string, value: unknown, pattern: string, longest?: number): Fault {
  const text = String(value ?? '')
  const fault = longest === undefined ? undefined : isAtMost(path, text, longest)
  if (fault || new RegExp(pattern).test(text)) return fault
  return invalid(path, `value does not match regex pattern "${pattern}"`)
}

function isAtMost(path: string, value: unknown, longest: number): Fault {
  if ([...String(value ?? '')].length <= longest) return undefined
  return invalid(path, `value length must be at most ${longest} runes`)
}

/**
 * The members of a device that each registry stores (pkg/ttnpb/field_mask_validation.go), by the
 * start of the path.
 */
const members: Record<string, readonly string[]> = {
  '/js/': [
    'application_server_address',
    'application_server_id',
    'ids',
    'last_dev_nonce',
    'last_join_nonce',
    'net_id',
    'network_server_address',
    'resets_join_nonces',
    'root_keys',
    'used_dev_nonces',
  ],
  '/ns/': [
    'battery_percentage',
    'downlink_margin',
    'frequency_plan_id',
    'ids',
    'lorawan_phy_version',
    'lorawan_version',
    'mac_settings',
    'mac_state',
    'multicast',
    'pending_mac_state',
    'pending_session',
    'session',
    'supports_class_b',
    'supports_class_c',
    'supports_join',
    'version_ids',
  ],
  '/as/': [
    'formatters',
    'ids',
    'pending_session',
    'session',
    'skip_payload_crypto',
    'skip_payload_crypto_override',
    'version_ids',
  ],
}

/** The members of `session` that each of the two servers stores. */
const sessionMembers: Record<string, RegExp> = {
  '/ns/':
    /^session(\.(dev_addr|keys(\.session_key_id|\.(f_nwk_s_int|s_nwk_s_int|nwk_s_enc)_key(\.key)?)?|last_f_cnt_up|last_(n|conf)_f_cnt_down|started_at))?$/,
  '/as/': /^session(\.(dev_addr|keys(\.session_key_id|\.app_s_key(\.key)?)?|last_a_f_cnt_down))?$/,
}

/** Source: pkg/rpcmiddleware/validator/validator.go. */
function checkMask(route: string, paths: readonly string[]): Fault {
  const [part = '', allowed] =
    Object.entries(members).find(([part]) => route.startsWith(`/api/v3${part}applications/`)) ?? []
  const isForbidden = (path: string) => {
    const [name = ''] = path.split('.')
    if (!allowed?.includes(name)) return true
    return name === 'session' && !sessionMembers[part]?.test(path)
  }
  const named = paths.filter((path) => path !== '')
  const forbidden = allowed && !route.endsWith('/link') ? named.filter(isForbidden) : []
  if (forbidden.length === 0) return undefined
  const error = 'pkg/rpcmiddleware/validator:field_mask_paths'
  const attributes = { forbidden_paths: forbidden }
  return fail(400, error, 'forbidden path(s) in field mask', { attributes })
}

function first(faults: readonly Fault[]): Fault {
  return faults.find((fault) => fault !== undefined)
}
