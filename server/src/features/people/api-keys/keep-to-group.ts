import type { Queryable } from '../../../db/connect.ts'
import type { AskedRequest } from '../../../http/authorize.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { type HttpError, notFound, type Refused, refuse } from '../../../http/errors.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import { groupNotFound } from '../../fleet/groups/group-record.ts'
import { readReference } from '../../fleet/inventory/references.ts'
import { isDeviceBelow, isDeviceTagged } from './admission-queries.ts'

/**
 * Keeps a member, or an API key, that is limited to a group to the devices in it and below it,
 * before the request is read any further (docs/decisions/0036-limited-members.md). What the reach of
 * the route does not allow is refused.
 *
 * @throws HttpError 403, or 404 for a device or a group outside.
 */
export async function keepToGroup(
  db: Queryable,
  caller: Caller,
  { reach, params, query }: Pick<AskedRequest, 'reach' | 'params' | 'query'>,
): Promise<void> {
  const { organizationId, groupId } = caller
  if (groupId === undefined) return
  switch (reach) {
    case 'no devices':
    case 'own login':
    case 'group tree':
    case 'kept':
      return
    case 'one device': {
      const device = readReference(String(params.device_id))
      if (await isDeviceBelow(db, organizationId, groupId, device)) return
      throw notFound('device not found', refusedOf(caller))
    }
    case 'one group':
      if (await isGroupBelow(db, organizationId, groupId, params.group_id)) return
      throw groupNotFound(refusedOf(caller))
    case 'by group': {
      const wanted = query.group ?? String(groupId)
      if (!(await isGroupBelow(db, organizationId, groupId, wanted))) {
        throw refusal(caller, `is limited to the group ${groupId} and the groups below it.`)
      }
      query.group = wanted
      return
    }
    default:
      throw refusal(caller, 'is limited to a group, and cannot do this.')
  }
}

/**
 * Keeps an API key that is limited to tags to the devices that have all of them, in the same way.
 *
 * @throws HttpError 403, or 404 for a device without the tag.
 */
export async function keepToTag(
  db: Queryable,
  caller: Caller,
  { reach, params, query }: Pick<AskedRequest, 'reach' | 'params' | 'query'>,
): Promise<void> {
  const { organizationId, tag } = caller
  if (tag === undefined) return
  switch (reach) {
    case 'no devices':
    case 'own login':
    case 'kept':
      return
    case 'one device': {
      const device = readReference(String(params.device_id))
      if (await isDeviceTagged(db, organizationId, tag, device)) return
      throw notFound('device not found', refusedOf(caller))
    }
    case 'by group': {
      // All tags of a filter must be there.
      query.tag = [tag, ...(query.tag ? [query.tag] : [])].join(',')
      return
    }
    default:
      throw refusal(caller, 'is limited to a tag, and cannot do this.')
  }
}

function refusal(caller: Caller, fault: string): HttpError {
  const who = caller.key === undefined ? 'Your membership' : 'This API key'
  return refuse(`${who} ${fault}`, refusedOf(caller))
}

function refusedOf({ organizationId, userId, key }: Caller): Refused {
  return { organizationId, userId, key }
}

/** Whether text of a query names the group or one below it. A group that is gone has no devices. */
async function isGroupBelow(
  db: Queryable,
  organizationId: number,
  groupId: number,
  text: unknown,
): Promise<boolean> {
  if (text === String(groupId)) return true
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return false
  return (await groupQueries.listWayUp(db, organizationId, Number(text))).includes(groupId)
}
