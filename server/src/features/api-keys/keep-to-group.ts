import type { Queryable } from '../../db/connect.ts'
import type { KeyRequest } from '../../http/authorize.ts'
import type { Caller } from '../../http/endpoint.ts'
import { forbiddenToKey, notFound } from '../../http/errors.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { readReference } from '../inventory/references.ts'
import { isDeviceBelow } from './admission-queries.ts'
import { keyRoutes } from './key-routes.ts'

/**
 * Keeps a key that is limited to a group to the devices in it and below it, before the request is
 * read any further (docs/decisions/0034-api-keys.md). What `key-routes.ts` does not mark as able to
 * be limited is refused.
 *
 * @throws HttpError 403, or 404 for a device outside the group.
 */
export async function keepToGroup(
  db: Queryable,
  { organizationId, userId, key }: Caller,
  { operation, params, query }: Pick<KeyRequest, 'operation' | 'params' | 'query'>,
): Promise<void> {
  const groupId = key?.groupId
  if (key === undefined || groupId === undefined) return
  const refuse = (message: string) => forbiddenToKey(message, { userId, keyId: key.id })
  switch (keyRoutes[operation]) {
    case 'no devices':
      return
    case 'one device': {
      const device = readReference(String(params.device_id))
      if (await isDeviceBelow(db, organizationId, groupId, device)) return
      throw notFound('device not found')
    }
    case 'by group': {
      const wanted = query.group ?? String(groupId)
      if (!(await isGroupBelow(db, organizationId, groupId, wanted))) {
        throw refuse(`This API key is limited to the group ${groupId} and the groups below it.`)
      }
      query.group = wanted
      return
    }
    default:
      throw refuse('An API key that is limited to a group cannot do this.')
  }
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
