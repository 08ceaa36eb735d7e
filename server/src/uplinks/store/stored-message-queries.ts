import type { Queryable } from '../../db/connect.ts'
import { findStored, keyOf, type UplinkKey } from './key-queries.ts'

/*
 * Which quarantined messages are stored as uplinks now, where messages, devices and uplinks are on
 * several machines and accounts on another: step by step, since no machine can join them.
 */

interface Message {
  organization_id: number
  id: number
  network_account_id: number
  device_eui: string
  key: string
  time: string
  is_dated_here: boolean
}

interface Account {
  id: number
  organization_id: number
  network: string
  is_vendor: boolean
}

interface Device {
  organization_id: number
  id: number
  eui: string
  network: string
  is_vendor: boolean
}

/** Returns those of the messages that are stored as uplinks of a device now. */
export async function findStoredMessages(
  tx: Queryable,
  asked: readonly { organization_id: number; id: number }[],
): Promise<{ organization_id: number; id: number }[]> {
  const messages = await readMessages(tx, asked)
  const accounts = await readAccounts(tx, messages)
  const devices = await readDevices(tx, accounts, messages)
  const accountsById = new Map(accounts.map((account) => [account.id, account]))
  const devicesByEui = Map.groupBy(devices, ({ eui }) => eui)
  const candidates = messages.flatMap((message) => {
    const account = accountsById.get(message.network_account_id)
    const named = devicesByEui.get(message.device_eui)
    const device = named?.find((each) => account && isOf(each, account))
    return device ? [{ message, stored: storedKeyOf(device, message) }] : []
  })
  if (candidates.length === 0) return []
  const found = await findStored(
    tx,
    candidates.map(({ stored }) => stored),
  )
  return candidates
    .filter(({ stored }) => found.has(keyOf(stored.device_id, stored.key)))
    .map(({ message }) => message)
}

function isOf(device: Device, account: Account): boolean {
  const isServed = account.is_vendor
    ? device.is_vendor
    : device.organization_id === account.organization_id
  return isServed && device.network === account.network
}

function storedKeyOf({ organization_id, id }: Device, message: Message): UplinkKey {
  const { key, time, is_dated_here } = message
  return { organization_id, device_id: id, key, time, is_dated_here }
}

async function readMessages(
  tx: Queryable,
  asked: readonly { organization_id: number; id: number }[],
): Promise<Message[]> {
  const rows = await tx.query<Message>(
    `select organization_id, id, network_account_id, device_eui, deduplication_key as key,
       uplink::json ->> 'receivedAt' as time,
       uplink::json ->> 'isDatedHere' is not null as is_dated_here
     from quarantined_messages
     where organization_id = any($1::bigint[]) and id = any($2::bigint[]) and uplink is not null`,
    [asked.map(({ organization_id }) => organization_id), asked.map(({ id }) => id)],
  )
  const wanted = new Set(asked.map(({ organization_id, id }) => `${organization_id} ${id}`))
  return rows.filter(({ organization_id, id }) => wanted.has(`${organization_id} ${id}`))
}

function readAccounts(tx: Queryable, messages: readonly Message[]): Promise<Account[]> {
  return tx.query<Account>(
    `select id, organization_id, network, register_method = 'vendor' as is_vendor
     from network_accounts where id = any($1::bigint[])`,
    [messages.map(({ network_account_id }) => network_account_id)],
  )
}

/** Those of the organizations of the accounts, and those that the operator's accounts serve. */
function readDevices(
  tx: Queryable,
  accounts: readonly Account[],
  messages: readonly Message[],
): Promise<Device[]> {
  const own = accounts.filter(({ is_vendor }) => !is_vendor)
  const shared = accounts.filter(({ is_vendor }) => is_vendor)
  return tx.query<Device>(
    `select organization_id, id, eui, network, register_method = 'vendor' as is_vendor
     from devices
     where organization_id = any($1::bigint[]) and eui = any($3) and deleted_at is null
     union
     select organization_id, id, eui, network, true
     from devices
     where register_method = 'vendor' and network = any($2) and eui = any($3)
       and deleted_at is null`,
    [
      own.map(({ organization_id }) => organization_id),
      shared.map(({ network }) => network),
      messages.map(({ device_eui }) => device_eui),
    ],
  )
}
