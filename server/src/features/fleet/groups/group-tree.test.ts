import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice, outline } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { fc } from '../../../../test/properties.ts'
import { startTestService } from '../../../../test/service.ts'

/** What holds of the trees as a whole, whatever is done to them in whatever order. */

const service = await startTestService({ after })
const racers = await foundOrganization(service, 'racers@example.test')

interface ModelGroup {
  id: number
  parent: ModelGroup | null
}

interface Step {
  action: 'create' | 'move' | 'delete'
  /** Taken modulo the number of groups; for a parent, one more stands for the top level. */
  group: number
  parent: number
}

interface Branch {
  id: number
  children: Branch[]
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    action: fc.constantFrom(
      'create' as const,
      'create' as const,
      'move' as const,
      'delete' as const,
    ),
    group: fc.nat(100),
    parent: fc.nat(100),
  }),
  { minLength: 5, maxLength: 25 },
)

function wayUp(group: ModelGroup | null): ModelGroup[] {
  return group === null ? [] : [group, ...wayUp(group.parent)]
}

async function take(model: ModelGroup[], step: Step): Promise<ModelGroup[]> {
  const parent = model[step.parent % (model.length + 1)] ?? null
  const selectedGroup = parent?.id ?? null
  if (step.action === 'create') {
    const body = { groupName: 'Group', selectedGroup }
    const answer = await service.call('POST', '/v1/device-groups', { body })
    assert.equal(answer.body.data.depth, wayUp(parent).length)
    return [...model, { id: answer.body.data.id, parent }]
  }
  const group = model[step.group % Math.max(1, model.length)]
  if (!group) return model
  const url = `/v1/device-groups/${group.id}`
  if (step.action === 'delete') {
    assert.equal((await service.call('DELETE', url)).status, 204)
    for (const child of model) if (child.parent === group) child.parent = group.parent
    return model.filter((other) => other !== group)
  }
  const answer = await service.call('PATCH', url, { body: { groupName: 'Group', selectedGroup } })
  const isCircle = wayUp(parent).includes(group)
  assert.equal(answer.status, isCircle ? 422 : 200)
  if (!isCircle) group.parent = parent
  if (!isCircle) assert.equal(answer.body.data.depth, wayUp(parent).length)
  return model
}

function branches(model: readonly ModelGroup[], parent: ModelGroup | null): Branch[] {
  return model
    .filter((group) => group.parent === parent)
    .map((group) => ({ id: group.id, children: branches(model, group) }))
}

function strip(trees: Branch[]): Branch[] {
  return trees.map(({ id, children }) => ({ id, children: strip(children) }))
}

test('creating, moving and deleting in any order leaves the trees of the model', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      let model: ModelGroup[] = []
      for (const step of sequence) model = await take(model, step)
      const { body } = await service.call('GET', '/v1/device-groups')
      assert.deepEqual(strip(body.data), branches(model, null))
      for (const { id } of model) await service.call('DELETE', `/v1/device-groups/${id}`)
    }),
    { numRuns: 25, seed: 20_260_301 },
  )
})

/** The same pseudo-random numbers each time (Numerical Recipes, chapter 7.1, "quick and dirty"). */
function numbersBelow(limit: number): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

test('moves that run at once never close a circle', async () => {
  const ids: number[] = []
  for (let number = 0; number < 6; number++) {
    ids.push(await addGroup(service, `Racer ${number}`, {}, racers))
  }
  const pick = numbersBelow(ids.length)
  const moves = Array.from({ length: 400 }, () => [ids[pick()], ids[pick()]] as const)
  const statuses = new Map<number, number>()
  const racer = async () => {
    for (let move = moves.pop(); move; move = moves.pop()) {
      const [id, selectedGroup] = move
      const body = { groupName: `Racer ${id}`, selectedGroup }
      const answer = await service.call('PATCH', `/v1/device-groups/${id}`, { as: racers, body })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 422) {
        const back = { groupName: `Racer ${id}`, selectedGroup: null }
        await service.call('PATCH', `/v1/device-groups/${id}`, { as: racers, body: back })
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, racer))
  assert.deepEqual([...statuses.keys()].sort(), [200, 422])
  const listed: number[] = []
  const visit = ({ id, children }: Branch) => {
    listed.push(id)
    children.forEach(visit)
  }
  const { body } = await service.call('GET', '/v1/device-groups', { as: racers })
  body.data.forEach(visit)
  assert.deepEqual(listed.sort(), ids.sort(), 'groups in a circle are in no tree')
})

test('two groups moved into each other at once: one goes, the other is refused', async () => {
  for (let round = 0; round < 20; round++) {
    const one = await addGroup(service, `One ${round}`)
    const two = await addGroup(service, `Two ${round}`)
    const move = (id: number, selectedGroup: number) =>
      service.call('PATCH', `/v1/device-groups/${id}`, { body: { groupName: 'M', selectedGroup } })
    const answers = await Promise.all([move(one, two), move(two, one)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  }
})

test('a parent deleted while groups are put under it leaves none of them lost', async () => {
  for (let round = 0; round < 10; round++) {
    const parent = await addGroup(service, `Parent ${round}`)
    const create = (name: string) => {
      const body = { groupName: name, selectedGroup: parent }
      return service.call('POST', '/v1/device-groups', { body })
    }
    const [first, gone, second] = await Promise.all([
      create(`First ${round}`),
      service.call('DELETE', `/v1/device-groups/${parent}`),
      create(`Second ${round}`),
    ])
    assert.equal(gone.status, 204)
    const top = await outline(service)
    for (const [name, { status }] of [
      [`First ${round}`, first],
      [`Second ${round}`, second],
    ] as const) {
      assert.ok(status === 200 || status === 422, `${status}`)
      assert.equal(name in top, status === 200)
    }
  }
})

test('lists of devices set at once leave one of the lists', async () => {
  const devices = [await addLocalDevice(service, 1), await addLocalDevice(service, 2)]
  const id = await addGroup(service, 'Contested')
  for (let round = 0; round < 10; round++) {
    const set = (device: number | undefined) => {
      const body = { groupName: 'Contested', selectedDevices: [device] }
      return service.call('PATCH', `/v1/device-groups/${id}`, { body })
    }
    const answers = await Promise.all([set(devices[0]), set(devices[1])])
    for (const { status, body } of answers) {
      assert.equal(status, 200)
      assert.equal(body.data.devices.length, 1)
    }
    const { body } = await service.call('GET', `/v1/device-groups/${id}`)
    assert.equal(body.data[0].devices.length, 1)
  }
})
