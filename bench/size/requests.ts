import { deviceEui } from '../uplink-message.ts'

/** A request whose cost is compared between sizes. */
export interface SizedRequest {
  name: string
  method: 'GET' | 'POST'
  path: string
  /** An export: the time of its first bytes, and of so many lines. */
  lines?: number
  /** What it reads or answers, by its nature or up to a bound: its cost is compared for each of them. */
  reads?: number
}

/** What the requests name, as the database of one size has it. */
export interface SizedFleet {
  /** Of organization 1. */
  uplinks: number
  devices: number
  ofBusyDevice: number
  ofAverageDevice: number
  gatewayId: number
  /** An average device reports once in so many milliseconds. */
  interval: number
}

const get = (name: string, path: string, reads = 1): SizedRequest => ({
  ...{ name, method: 'GET', path: `/v1${path}`, reads },
})

/** The newest uplinks that a search, or the page of a gateway, reads at most. */
const mostRead = 20_000

/** The newest uplinks that the radio of the fleet, or of a gateway, reads at most. */
const mostRadio = 50_000

/** Uplinks of the average device in a range of its measurements and of its radio. */
const uplinksOfRange = 8

/** Every list, search, tree, summary, export and chart, of organization 1. */
export function sizedRequests(fleet: SizedFleet): SizedRequest[] {
  return [...pages(fleet), ...searches(fleet), ...devices(fleet), ...exportsOf(fleet)]
}

/** First, middle and last page of the lists with exact totals. */
function pages({ uplinks, ofBusyDevice }: SizedFleet): SizedRequest[] {
  const lists = [
    { name: 'all uplinks', path: '/devices/all/uplink', total: uplinks },
    { name: "a device's uplinks", path: `/devices/${busy}/uplink`, total: ofBusyDevice },
  ]
  return lists.flatMap(({ name, path, total }) => {
    const last = Math.max(1, Math.ceil(total / 10))
    return [
      get(`${name}, first page`, `${path}?page=1`),
      get(`${name}, middle page`, `${path}?page=${Math.ceil(last / 2)}`),
      get(`${name}, last page`, `${path}?page=${last}`),
    ]
  })
}

const busy = deviceEui(0).toUpperCase()
/** Of the average devices: one of the type that measures temperature and humidity. */
const average = deviceEui(7).toUpperCase()

function searches({ interval, gatewayId, ...fleet }: SizedFleet): SizedRequest[] {
  const reads = Math.min(mostRead, fleet.uplinks)
  const radioReads = Math.min(mostRadio, fleet.uplinks)
  const hour = new Date(Date.now() - interval / 4).toISOString()
  const list = '/fleet/uplinks?limit=100'
  return [
    get('uplinks, newest hundred', list),
    get('uplinks of a time on', `${list}&since=${hour}`),
    get('uplinks up to a time', `${list}&until=${hour}`),
    get('uplinks of a device', `${list}&device=${average}`, Math.min(100, fleet.ofAverageDevice)),
    get('uplinks of a type', `${list}&type=112`),
    get('uplinks of a group', `${list}&group=2`),
    get('uplinks, a search that finds', `${list}&search=battery`),
    get('uplinks, a search without result', `${list}&search=nowhere`, reads),
    get('what a gateway hears', `/fleet/gateways/${gatewayId}/uplinks`, reads),
    get('devices that a gateway hears', `/fleet/gateways/${gatewayId}/devices`, reads),
    get('devices that only it hears', `/fleet/gateways/${gatewayId}/sole-devices`, reads),
    get('devices by their gateways', '/fleet/coverage/devices', reads),
    get('radio of the fleet', '/fleet/coverage', radioReads),
    get('radio of a gateway', `/fleet/gateways/${gatewayId}/radio`, radioReads),
  ]
}

function devices({ interval, devices: all, ofAverageDevice }: SizedFleet): SizedRequest[] {
  const since = new Date(Date.now() - uplinksOfRange * interval).toISOString()
  const device = `/devices/${average}`
  return [
    get('devices', '/devices'),
    get('devices, search', '/devices?search=device%2099'),
    get('fleet, by last seen', '/fleet/devices?sort=last_seen&order=desc'),
    get('fleet, by battery', '/fleet/devices?sort=battery'),
    get('fleet, silent', '/fleet/devices?verdict=silent'),
    get('ids of all devices', '/fleet/devices/ids', all),
    get('a device', device),
    get("a device's page", `/fleet${device}`),
    get('arrival of a device', `/fleet${device}/arrival`),
    get('measurements', `${device}/measurements?from=${since}`),
    get('radio', `${device}/radio?since=${since}`),
    get('airtime', `${device}/airtime?since=${since}`),
    get('battery', `${device}/battery`, Math.ceil(ofAverageDevice / 24)),
    get('gateways', '/gateways'),
    get('fleet of gateways', '/fleet/gateways'),
    get('tree with devices', '/device-groups', all),
    get('groups', '/fleet/groups', all),
    get('a group', '/fleet/groups/2'),
    get('summary', '/fleet/summary'),
    get('activity', '/fleet/activity'),
    get('downlinks', '/fleet/downlinks'),
  ]
}

function exportsOf({ devices: all }: SizedFleet): SizedRequest[] {
  return [
    { name: 'CSV of 20,000', method: 'POST', path: '/v1/devices/all/uplink', lines: 5000 },
    { ...get('export of all uplinks, CSV', '/fleet/uplinks/export'), lines: 5000 },
    { ...get('export of all uplinks, JSON', '/fleet/uplinks/lines'), lines: 5000 },
    { ...get('export of devices', '/fleet/devices/export'), lines: Math.min(all, 500) },
  ]
}
