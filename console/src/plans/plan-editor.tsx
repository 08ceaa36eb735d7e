import { Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { useIsLimited, useMay } from '../session/session.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { type Mark, type Plan, PlanView, type Position } from './plan-view.tsx'

/** Devices and gateways that the choice offers; its search finds the others. */
const mostOffered = 100
const middle = { x: 0.5, y: 0.5 }

type Thing = Mark['thing']

/** Puts devices and gateways on a plan, moves them and takes them away. */
export function PlanEditor({ plan, onDone }: { plan: Plan; onDone: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [picked, setPicked] = useState<Mark>()
  const [search, setSearch] = useState('')
  const { choices, may } = useChoices(plan, search)
  const { put, take, isPending, error, saving } = usePlaces(plan)
  const place = (at: Position) => {
    if (chosen === null) return
    const [thing, id] = chosen.split(' ') as [Thing, string]
    put(thing, id, at)
    setChosen(null)
    setSearch('')
  }
  const shown = shownWhileSaved(plan, saving)
  const isThere =
    picked?.thing === 'gateway'
      ? plan.gateways.some(({ id }) => id === picked.id)
      : plan.positions.some(({ id }) => id === picked?.id)
  return (
    <>
      <Group align="flex-end" gap="sm" mb="sm">
        <Select
          label={may.gateway ? t('Device or gateway') : t('Device')}
          placeholder={t('Name or EUI')}
          searchable
          clearable
          data={choices}
          value={chosen}
          onChange={setChosen}
          searchValue={search}
          onSearchChange={setSearch}
          filter={({ options: all }) => all}
        />
        <Button variant="default" disabled={chosen === null} onClick={() => place(middle)}>
          {t('Put in the middle')}
        </Button>
        {picked && isThere && (
          <Button
            variant="default"
            onClick={() => take(picked.thing, String(picked.id))}
            loading={isPending}
          >
            {t('Take {name} away', { name: picked.name })}
          </Button>
        )}
        <Button onClick={onDone} ml="auto">
          {t('Done')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {t(
          'Choose one and click where it is. Drag those on the plan, or move the focused one with the arrow keys.',
        )}
      </Text>
      {error && <ErrorNotice error={error} />}
      <PlanView
        plan={shown}
        onSelect={(mark) => setPicked(may[mark.thing] ? mark : undefined)}
        onMove={({ thing, id }, to) => put(thing, String(id), to)}
        mayMove={({ thing }) => may[thing]}
        onPick={chosen === null ? undefined : place}
      />
    </>
  )
}

/** What is not on the plan yet and may be put there, by name. */
function useChoices(plan: Plan, search: string) {
  const isLimited = useIsLimited()
  const may: Record<Thing, boolean> = {
    device: useMay('manage_devices'),
    gateway: useMay('manage_gateways') && !isLimited,
  }
  const query = { search, sort: 'name', limit: mostOffered } as const
  const devices = useApi(
    'GET /fleet/devices',
    { query },
    { keepsPrevious: true, enabled: may.device },
  )
  const gateways = useApi(
    'GET /fleet/gateways',
    { query },
    { keepsPrevious: true, enabled: may.gateway },
  )
  const offered = (thing: Thing, found: readonly { id: number; name: string }[]) => {
    const placed = new Set(
      (thing === 'device' ? plan.positions : plan.gateways).map(({ id }) => id),
    )
    return found
      .filter(({ id }) => !placed.has(id))
      .map(({ id, name }) => ({ value: `${thing} ${id}`, label: name }))
  }
  const named = (devices.data?.data ?? []).map(({ id, device_name: name }) => ({ id, name }))
  const groups = [
    { group: t('Devices'), items: offered('device', named) },
    { group: t('Gateways'), items: offered('gateway', gateways.data?.data ?? []) },
  ]
  return { may, choices: groups.filter(({ items }) => items.length > 0) }
}

interface Saving {
  thing: Thing
  id: string
  at: Position
}

/** Saves where something is, and takes it away. */
function usePlaces({ id: planId }: Plan) {
  const options = { invalidates: ['GET /floor-plans/{plan_id}', 'GET /floor-plans'] } as const
  const putDevice = useAction('PUT /floor-plans/{plan_id}/devices/{device_id}', options)
  const takeDevice = useAction('DELETE /floor-plans/{plan_id}/devices/{device_id}', options)
  const putGateway = useAction('PUT /floor-plans/{plan_id}/gateways/{gateway_id}', options)
  const takeGateway = useAction('DELETE /floor-plans/{plan_id}/gateways/{gateway_id}', options)
  const plan_id = String(planId)
  const put = (thing: Thing, id: string, body: Position) =>
    thing === 'device'
      ? putDevice.mutate({ path: { plan_id, device_id: id }, body })
      : putGateway.mutate({ path: { plan_id, gateway_id: id }, body })
  const take = (thing: Thing, id: string) =>
    thing === 'device'
      ? takeDevice.mutate({ path: { plan_id, device_id: id } })
      : takeGateway.mutate({ path: { plan_id, gateway_id: id } })
  const savings: Saving[] = []
  if (putDevice.isPending) {
    const { path, body } = putDevice.variables
    savings.push({ thing: 'device', id: path.device_id, at: body })
  }
  if (putGateway.isPending) {
    const { path, body } = putGateway.variables
    savings.push({ thing: 'gateway', id: path.gateway_id, at: body })
  }
  return {
    ...{ put, take, saving: savings },
    isPending: takeDevice.isPending || takeGateway.isPending,
    error: putDevice.error ?? putGateway.error ?? takeDevice.error ?? takeGateway.error,
  }
}

/** A mark stays where it was dropped until the service has it. */
function shownWhileSaved(plan: Plan, savings: readonly Saving[]): Plan {
  const moved =
    (thing: Thing) =>
    <T extends { id: number } & Position>(one: T): T => {
      const saving = savings.find((each) => each.thing === thing && each.id === String(one.id))
      return saving ? { ...one, ...saving.at } : one
    }
  return {
    ...plan,
    positions: plan.positions.map(moved('device')),
    gateways: plan.gateways.map(moved('gateway')),
  }
}
