import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { bodyLimits, type Caller, type ImageAnswer } from '../../../http/endpoint.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryInteger, requiredInteger, requiredText } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { find as findGroup } from '../../fleet/groups/group-queries.ts'
import * as deviceQueries from '../../fleet/inventory/device-queries.ts'
import { readReference } from '../../fleet/inventory/references.ts'
import { imageField } from '../../fleet/pictures/image-field.ts'
import { countLocked } from '../../people/organizations/organization-queries.ts'
import * as planQueries from './plan-queries.ts'
import {
  listedPlan,
  placeOnPlanBody,
  planAnswer,
  planNotFound,
  planPath,
  toListedPlan,
} from './plan-record.ts'
import { readPlan } from './read-plan.ts'

const mostPlans = 100
const mostOfTenant = 1000
const mostBytes = 3 * 1024 * 1024

const isFull = `The organization has ${mostPlans} floor plans already.`
const isTenantFull = `The organizations have ${mostOfTenant.toLocaleString('en-US')} floor plans together already.`
const isPlanFull = `The floor plan has ${planQueries.mostDevices} devices already.`

const image = imageField('image', mostBytes, 'drawings')
const groupId = requiredInteger('group id')
const name = requiredText('name', 100)

const exampleImage = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3H0z"/></svg>',
).toString('base64')

export const listPlans = endpoint({
  summary: 'The floor plans of all groups, or of one with those below it',
  query: z.object({
    group: queryInteger('group', { min: 1, fallback: 0 }).meta({
      description: 'The id of a group.',
    }),
  }),
  answer: z.object({ data: z.array(listedPlan) }),
  async handle({ query, caller }, { db }) {
    const plans = await planQueries.list(db, caller, query.group || null)
    return { data: plans.map(toListedPlan) }
  },
})

export const showPlan = endpoint({
  summary: 'One floor plan, with the devices and gateways on it, their readings and states',
  params: planPath,
  answer: planAnswer,
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    return { data: await readPlan(db, caller, params.plan_id, now()) }
  },
})

export const showPlanImage = endpoint({
  summary: 'The image of a floor plan; its ETag changes with it',
  params: planPath,
  failures: [404],
  produces: { type: 'image/*', example: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  async handle({ params, caller }, { db }): Promise<ImageAnswer> {
    const found = await planQueries.findImage(db, caller, params.plan_id)
    if (!found) throw planNotFound()
    const { type, bytes, revision } = found
    return { type, bytes, etag: `${params.plan_id}-${revision}` }
  },
})

export const createPlan = endpoint({
  summary: 'Add a floor plan to a group',
  description: `An organization has up to ${mostPlans} floor plans, each with up to ${planQueries.mostDevices} devices.`,
  body: z.object(
    withExamples(
      { name, group_id: groupId, image },
      { name: 'Ground floor', group_id: 12, image: exampleImage as never },
    ),
  ),
  bodyLimit: bodyLimits.batch,
  status: 201,
  answer: planAnswer,
  failures: [409],
  change: creationOf('floor_plan'),
  async handle({ body, caller, record }, { db, now }) {
    const { organizationId, userId } = caller
    const data = await db.transaction(async (tx) => {
      await refuseUnknown(tx, organizationId, body.group_id)
      const { own, ofTenant } = await countLocked(tx, organizationId, 'floor_plans')
      if (own >= mostPlans) throw conflict(isFull)
      if (ofTenant >= mostOfTenant) throw conflict(isTenantFull)
      const plan = { name: body.name, groupId: body.group_id, picture: body.image }
      const id = await planQueries.insert(tx, organizationId, { ...plan, userId, now: now() })
      const made = await readPlan(tx, caller, id, now())
      await record(tx, { data: made })
      return made
    })
    return { data }
  },
})

async function refuseUnknown(
  tx: Queryable,
  organizationId: number,
  id: number | undefined,
): Promise<void> {
  if (id === undefined) return
  if (!(await findGroup(tx, organizationId, id)))
    throw invalid({ group_id: ['The selected group id is invalid.'] })
}

export const changePlan = endpoint({
  summary: 'Change a floor plan; what is left out stays, also the devices on it',
  params: planPath,
  body: z.object(
    withExamples(
      { name: name.optional(), group_id: groupId.optional(), image: image.optional() },
      { name: 'First floor' },
    ),
  ),
  bodyLimit: bodyLimits.batch,
  answer: planAnswer,
  failures: [404],
  change: changeOf('floor_plan', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const data = await db.transaction(async (tx) => {
      await refuseUnknown(tx, organizationId, body.group_id)
      const values = { name: body.name, groupId: body.group_id, picture: body.image, now: now() }
      const isThere = await planQueries.update(tx, organizationId, {
        id: params.plan_id,
        ...values,
      })
      if (!isThere) throw planNotFound()
      await record(tx)
      return readPlan(tx, caller, params.plan_id, now())
    })
    return { data }
  },
})

export const deletePlan = endpoint({
  summary: 'Delete a floor plan; the devices on it stay',
  params: planPath,
  status: 204,
  failures: [404],
  change: changeOf('floor_plan', 'deleted'),
  async handle({ params, caller: { organizationId }, record }, { db }) {
    await db.transaction(async (tx) => {
      await record(tx)
      const wasThere = await planQueries.remove(tx, organizationId, params.plan_id)
      if (!wasThere) throw planNotFound()
    })
  },
})

const positionPath = planPath.extend({ device_id: z.string().meta({ examples: ['101'] }) })

export const placeOnPlan = endpoint({
  summary: 'Put a device on a floor plan, or move it there',
  params: positionPath,
  body: placeOnPlanBody,
  status: 204,
  failures: [404, 409],
  change: changeOf('device', 'put on a floor plan'),
  async handle({ params, body, caller, record }, { db }) {
    const { organizationId } = caller
    await db.transaction(async (tx) => {
      const { plan, device } = await findBoth(tx, caller, params)
      const position = { device_id: device.id, ...body }
      const isPlaced = await planQueries.place(tx, organizationId, plan.id, position)
      if (!isPlaced) throw conflict(isPlanFull)
      await record(tx)
    })
  },
})

export const takeFromPlan = endpoint({
  summary: 'Take a device from a floor plan',
  params: positionPath,
  status: 204,
  failures: [404],
  change: changeOf('device', 'taken from a floor plan'),
  async handle({ params, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      const { plan, device } = await findBoth(tx, caller, params)
      await planQueries.takeAway(tx, caller.organizationId, plan.id, device.id)
      await record(tx)
    })
  },
})

async function findBoth(
  tx: Queryable,
  caller: Caller,
  params: { plan_id: number; device_id: string },
) {
  const plan = await planQueries.find(tx, caller, params.plan_id)
  if (!plan) throw planNotFound()
  const reference = readReference(params.device_id)
  const device = await deviceQueries.find(tx, caller.organizationId, reference)
  if (!device) throw notFound('device not found')
  return { plan, device }
}
