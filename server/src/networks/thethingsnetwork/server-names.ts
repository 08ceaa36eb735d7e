// The server addresses with which a device is registered (end_device.proto): the hosts by which the
// servers know each other. An account may reach the same servers by another name.
import { textOf } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import { RefusedCall } from '../rest.ts'

export const serverFields = [
  'network_server_address',
  'application_server_address',
  'join_server_address',
] as const

export type ServerAddresses = Record<(typeof serverFields)[number], string>

/** The usual host for registering a device; empty if the address cannot be one. */
export function toServerName(hostname: string): string {
  if (!hostname.startsWith('[')) return hostname
  return isLoopback(hostname) ? 'localhost' : ''
}

/** The same host for all three servers. */
export function sameServers(name: string): ServerAddresses {
  return {
    network_server_address: name,
    application_server_address: name,
    join_server_address: name,
  }
}

export function readServers(device: JsonObject): ServerAddresses {
  const entries = serverFields.map((field) => [field, textOf(device[field])])
  return Object.fromEntries(entries) as ServerAddresses
}

/**
 * Whether an address certainly means the servers of this host: the same one at another port,
 * another name of this machine, or none. Others may mean them too. Only the servers themselves know
 * that.
 */
export function isSameServer(address: string, hostname: string): boolean {
  const host = address.replace(/^[a-z]+:\/\//i, '').replace(/:\d+$/, '')
  return host === '' || host === hostname || (isLoopback(host) && isLoopback(hostname))
}

function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)
}

/**
 * The name that the servers have in their application, in whose refusal of another one it stands
 * (pkg/identityserver/end_device_registry.go, validateEndDeviceServerAddressMatch).
 */
export function readExpectedName(error: unknown): string | undefined {
  const body = error instanceof RefusedCall && isObject(error.body) ? error.body : {}
  const [detail] = Array.isArray(body.details) ? body.details.filter(isObject) : []
  if (!textOf(detail?.name).endsWith('_server_address_mismatch')) return undefined
  const attributes = isObject(detail?.attributes) ? detail.attributes : {}
  return textOf(attributes.expected) || undefined
}
