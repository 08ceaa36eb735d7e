import { Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../api/hooks.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { type Plan, PlanView, type Position } from './plan-view.tsx'

/** Devices that the choice offers; its search finds the others. */
const mostOffered = 100
const middle = { x: 0.5, y: 0.5 }

/** Puts devices on a plan, moves them and takes them away. */
export function PlanEditor({ plan, onDone }: { plan: Plan; onDone: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [picked, setPicked] = useState<string>()
  const [search, setSearch] = useState('')
  const options = { invalidates: ['GET /floor-plans/{plan_id}', 'GET /floor-plans'] } as const
  const put = useAction('PUT /floor-plans/{plan_id}/devices/{device_id}', options)
  const take = useAction('DELETE /floor-plans/{plan_id}/devices/{device_id}', options)
  const { data } = useApi(
    'GET /fleet/devices',
    { query: { search, sort: 'name', limit: mostOffered } },
    { keepsPrevious: true },
  )
  const placed = new Set(plan.positions.map(({ id }) => id))
  const offered = (data?.data ?? [])
    .filter(({ id }) => !placed.has(id))
    .map(({ id, device_name }) => ({ value: String(id), label: device_name }))
  const path = (device: number | string) => ({
    plan_id: String(plan.id),
    device_id: String(device),
  })
  const place = (at: Position) => {
    if (chosen === null) return
    put.mutate({ path: path(chosen), body: at })
    setPicked(chosen)
    setChosen(null)
    setSearch('')
  }
  const last = plan.positions.find(({ id }) => String(id) === picked)
  return (
    <>
      <Group align="flex-end" gap="sm" mb="sm">
        <Select
          label="Device"
          placeholder="Name or DevEUI"
          searchable
          clearable
          data={offered}
          value={chosen}
          onChange={setChosen}
          searchValue={search}
          onSearchChange={setSearch}
          filter={({ options: all }) => all}
        />
        <Button variant="default" disabled={chosen === null} onClick={() => place(middle)}>
          Put in the middle
        </Button>
        {last && (
          <Button
            variant="default"
            onClick={() => take.mutate({ path: path(last.id) })}
            loading={take.isPending}
          >
            Take {last.device_name} away
          </Button>
        )}
        <Button onClick={onDone} ml="auto">
          Done
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        Choose a device and click where it is. Drag devices, or move the focused one with the arrow
        keys.
      </Text>
      {(put.error ?? take.error) && <ErrorNotice error={put.error ?? take.error} />}
      <PlanView
        plan={shownWhileSaved(plan, put.isPending ? put.variables : undefined)}
        onSelect={({ id }) => setPicked(String(id))}
        onMove={({ id }, to) => put.mutate({ path: path(id), body: to })}
        onPick={chosen === null ? undefined : place}
      />
    </>
  )
}

interface Saving {
  path: { device_id: string }
  body: Position
}

/** A device stays where it was dropped until the service has it. */
function shownWhileSaved(plan: Plan, saving: Saving | undefined): Plan {
  if (!saving) return plan
  const positions = plan.positions.map((one) =>
    String(one.id) === saving.path.device_id ? { ...one, ...saving.body } : one,
  )
  return { ...plan, positions }
}
