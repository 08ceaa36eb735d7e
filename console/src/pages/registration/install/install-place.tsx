import { Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { PhoneButton, toPlace } from '../../../map/place-form.tsx'
import { placeText } from '../../../map/place-text.ts'
import { type Plan, PlanView, type Position } from '../../../plans/plan-view.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import type { PartProps } from './current-device.tsx'
import type { Install } from './install-store.ts'

const planKey = 'install plan'

/** Where the device is: where the phone is, or a place on a floor plan. */
export function InstallPlace({ install, onChange }: PartProps) {
  const [place, setPlace] = useState(() => keptPlace(install))
  const plans = useApi('GET /floor-plans', {}, { staleTime: Number.POSITIVE_INFINITY })
  const [chosen, setChosen] = useState(() =>
    install.position ? String(install.position.plan) : localStorage.getItem(planKey),
  )
  const offered = (plans.data?.data ?? []).map(({ id, name, group }) => ({
    value: String(id),
    label: `${name} (${group.name})`,
  }))
  const isThere = offered.some(({ value }) => value === chosen)
  const choose = (id: string | null) => {
    setChosen(id)
    if (id === null) localStorage.removeItem(planKey)
    else localStorage.setItem(planKey, id)
  }
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <PhoneButton
          onFound={(draft) => {
            const { latitude = 0, longitude = 0 } = draft
            setPlace(placeText(latitude, longitude))
            onChange(({ details }) => ({ details: { ...details, ...toPlace(draft) } }))
          }}
        />
      </Group>
      {place !== undefined && <Text size="sm">{t('Its place is {place}.', { place })}</Text>}
      {offered.length > 0 && (
        <Select
          label={t('Floor plan')}
          placeholder={t('None')}
          clearable
          data={offered}
          value={isThere ? chosen : null}
          onChange={choose}
        />
      )}
      {isThere && <PlanChoice key={chosen} plan={Number(chosen)} {...{ install, onChange }} />}
    </Stack>
  )
}

/** What is not sent yet of where the phone was. */
function keptPlace({ details }: Install): string | undefined {
  const { latitude, longitude } = details ?? {}
  const isKnown = typeof latitude === 'number' && typeof longitude === 'number'
  return isKnown ? placeText(latitude, longitude) : undefined
}

function PlanChoice({ plan: id, install, onChange }: PartProps & { plan: number }) {
  const { data, error, refetch } = useApi('GET /floor-plans/{plan_id}', {
    path: { plan_id: String(id) },
  })
  const [picked, setPicked] = useState<Position | undefined>(
    install.position?.plan === id ? install.position : undefined,
  )
  if (!data) {
    return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <LoadingLines />
  }
  const pick = (at: Position) => {
    setPicked(at)
    onChange(() => ({ position: { plan: id, ...at } }))
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('Touch the place of the device.')}
      </Text>
      <PlanView plan={withDevice(data.data, install, picked)} onPick={pick} />
    </>
  )
}

/** The plan with the device at the place that was touched, whether it is sent yet or not. */
function withDevice(plan: Plan, { values }: Install, at: Position | undefined): Plan {
  if (!at) return plan
  const others = plan.positions.filter(({ device_id }) => device_id !== values.deviceId)
  const verdict = { state: 'new' as const, since: null, reasons: [] }
  const own = {
    id: 0,
    device_id: values.deviceId,
    device_name: values.deviceName,
    x: at.x,
    y: at.y,
  }
  const position = { ...own, last_seen: null, reading: null, verdict }
  return { ...plan, positions: [...others, position] }
}
