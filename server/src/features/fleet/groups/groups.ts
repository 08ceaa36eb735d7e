import { z } from 'zod'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { optionalBoolean } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { groupBody, readSavedGroup } from './group-body.ts'
import { listGroupDevices } from './group-device-record.ts'
import * as groupQueries from './group-queries.ts'
import {
  groupNotFound,
  groupPath,
  groupTree,
  inOrderOfTrees,
  retrievedGroup,
  savedGroup,
  toRetrievedGroup,
  toTrees,
} from './group-record.ts'
import { addGroup, changeStoredGroup } from './group-writes.ts'

export const listGroups = endpoint({
  summary: 'List the groups as trees, with their devices',
  answer: z.object({ data: z.array(groupTree) }),
  isLarge: true,
  isHeavy: true,
  async handle({ caller }, services) {
    const groups = await groupQueries.listCounted(services.db, caller.organizationId)
    const devices = listGroupDevices(services, caller, inOrderOfTrees(groups))
    return { data: toTrees(groups, devices) }
  },
})

export const getGroup = endpoint({
  summary: 'Retrieve a group with its devices; `data` is an array of one',
  params: groupPath,
  answer: z.object({ data: z.array(retrievedGroup) }),
  isLarge: true,
  isHeavy: true,
  failures: [404],
  async handle({ params, caller }, services) {
    const group = await groupQueries.find(services.db, caller.organizationId, params.group_id)
    if (!group) throw groupNotFound()
    const counted = { id: group.id, device_count: Number.POSITIVE_INFINITY }
    const devices = listGroupDevices(services, caller, [counted])
    return { data: [toRetrievedGroup(group, devices.of(group.id))] }
  },
})

export const createGroup = endpoint({
  summary: 'Create a group',
  bodyLimit: bodyLimits.batch,
  body: groupBody,
  answer: z.object({ data: savedGroup }),
  change: creationOf('group', 'groupName'),
  async handle({ body, caller, record }, { db, now }) {
    const { groupName: name, selectedDevices: deviceIds, selectedGroup: parentId } = body
    const data = await db.transaction(async (tx) => {
      const group = await addGroup(tx, caller, { name, deviceIds, parentId }, now())
      await record(tx, { data: { id: group.id } })
      return readSavedGroup(tx, caller.organizationId, group)
    })
    return { data }
  },
})

const changes = z.object({ ...groupBody.shape, opened: optionalBoolean('opened') })

export const updateGroup = endpoint({
  summary: 'Rename a group, move it, or set its devices; what is left out stays',
  params: groupPath,
  bodyLimit: bodyLimits.batch,
  body: changes,
  answer: z.object({
    status: z.literal('success'),
    status_code: z.literal(200),
    message: z.literal('Group updated successfully'),
    data: savedGroup,
  }),
  failures: [404],
  change: changeOf('group', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const fields = {
      name: body.groupName,
      deviceIds: body.selectedDevices,
      parentId: body.selectedGroup,
      isOpen: body.opened,
    }
    const data = await db.transaction(async (tx) => {
      const change = { id: params.group_id, fields, now: now() }
      const group = await changeStoredGroup(tx, organizationId, change)
      await record(tx)
      return readSavedGroup(tx, organizationId, group)
    })
    return {
      status: 'success' as const,
      status_code: 200 as const,
      message: 'Group updated successfully' as const,
      data,
    }
  },
})

/** The devices of the group stay; its subgroups move to its parent. */
export const deleteGroup = endpoint({
  summary: 'Delete a group',
  params: groupPath,
  status: 204,
  failures: [404],
  change: changeOf('group', 'deleted'),
  async handle({ params, caller, record }, { db, now }) {
    const { organizationId } = caller
    await db.transaction(async (tx) => {
      await groupQueries.lockTrees(tx, organizationId)
      const wasThere = await groupQueries.remove(tx, organizationId, params.group_id, now())
      if (!wasThere) throw groupNotFound()
      await record(tx)
    })
  },
})
