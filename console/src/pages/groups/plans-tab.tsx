import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { queryClient, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { PlanEditor } from '../../plans/plan-editor.tsx'
import { PlanView } from '../../plans/plan-view.tsx'
import { useMay } from '../../session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState, ErrorNotice, tellSuccess } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import classes from './groups.module.css'
import { AddressDialog, PlanDialog } from './plan-dialogs.tsx'
import type { GroupDetails } from './use-groups.ts'

/** Milliseconds between two looks at the readings. */
const interval = 15_000

/** The address and the floor plans of a group and of its subgroups. */
export default function PlansTab({ group }: { group: GroupDetails }) {
  const [open, setOpen] = useState<'address' | 'add'>()
  const [chosen, setChosen] = useState<string>()
  const { data, error, refetch } = useApi('GET /floor-plans', { query: { group: group.id } })
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  const plans = data.data
  const shown = plans.find(({ id }) => String(id) === chosen) ?? plans[0]
  const add = (
    <ActionButton variant="default" needs="manage_widget_dashboard" onClick={() => setOpen('add')}>
      {t('Add a floor plan')}
    </ActionButton>
  )
  const choices = plans.map(({ id, name, group: of }) => ({
    value: String(id),
    label: of.id === group.id ? name : `${name}, ${of.name}`,
  }))
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Text size="sm" className={classes.address}>
          {group.address ?? t('No address.')}
        </Text>
        <ActionButton
          variant="subtle"
          size="compact-sm"
          needs="manage_groups"
          onClick={() => setOpen('address')}
        >
          {group.address === null ? t('Set the address') : t('Change the address')}
        </ActionButton>
      </Group>
      {!shown && (
        <EmptyState title={t('No floor plans')} actions={add}>
          {t(
            'A drawing of this place: PNG, JPEG, SVG, or a page of a PDF. Devices on it show their readings and states.',
          )}
        </EmptyState>
      )}
      {shown && (
        <>
          <Group gap="sm" align="flex-end">
            {plans.length > 1 && plans.length <= 4 && (
              <SegmentedControl
                aria-label={t('Floor plan')}
                data={choices}
                value={String(shown.id)}
                onChange={setChosen}
              />
            )}
            {plans.length > 4 && (
              <Select
                aria-label={t('Floor plan')}
                data={choices}
                value={String(shown.id)}
                allowDeselect={false}
                onChange={(value) => setChosen(value ?? undefined)}
              />
            )}
            {add}
          </Group>
          <ShownPlan key={shown.id} id={shown.id} />
        </>
      )}
      {open === 'address' && <AddressDialog group={group} onClose={() => setOpen(undefined)} />}
      {open === 'add' && (
        <PlanDialog
          group={group}
          onClose={() => setOpen(undefined)}
          onSaved={(id) => setChosen(String(id))}
        />
      )}
    </Stack>
  )
}

function ShownPlan({ id }: { id: number }) {
  const [open, setOpen] = useState<'edit' | 'change' | 'delete'>()
  const navigate = useNavigate()
  const placing = useMay('manage_gateways') ? 'manage_gateways' : 'manage_devices'
  const { data, error, refetch } = useApi(
    'GET /floor-plans/{plan_id}',
    { path: { plan_id: String(id) } },
    { refetchInterval: interval, keepsPrevious: true },
  )
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  const plan = data.data
  const close = () => setOpen(undefined)
  if (open === 'edit') return <PlanEditor plan={plan} onDone={close} />
  const remove = async () => {
    await call('DELETE /floor-plans/{plan_id}', { path: { plan_id: String(id) } })
    await queryClient.invalidateQueries({ queryKey: ['GET /floor-plans'] })
    tellSuccess(t('{name} is deleted.', { name: plan.name }))
  }
  return (
    <>
      <PlanView
        plan={plan}
        onSelect={({ thing, eui }) =>
          void (thing === 'device'
            ? navigate({ to: '/devices/$eui', params: { eui } })
            : navigate({ to: '/gateways/$gatewayId', params: { gatewayId: eui } }))
        }
      />
      <Group gap="sm">
        <ActionButton needs={placing} onClick={() => setOpen('edit')}>
          {t('Place devices and gateways')}
        </ActionButton>
        <ActionButton
          variant="default"
          needs="manage_widget_dashboard"
          onClick={() => setOpen('change')}
        >
          {t('Change')}
        </ActionButton>
        <ActionButton
          variant="default"
          needs="manage_widget_dashboard"
          onClick={() => setOpen('delete')}
        >
          {t('Delete')}
        </ActionButton>
      </Group>
      {open === 'change' && <PlanDialog plan={plan} group={plan.group} onClose={close} />}
      <Confirm
        opened={open === 'delete'}
        title={t('Delete the floor plan {name}?', { name: plan.name })}
        action={t('Delete floor plan')}
        onConfirm={remove}
        onClose={close}
      >
        {t('The devices and gateways on it stay. Their positions on this plan are lost.')}
      </Confirm>
    </>
  )
}
