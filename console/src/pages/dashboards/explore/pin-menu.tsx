import { Button, Menu, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryClient, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useReason } from '../../../ui/action-button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { type RangeWord, rangeNames, type Widget } from '../dashboard.ts'
import { bottomOf } from '../layout.ts'

interface PinMenuProps {
  widget: Widget
  range: RangeWord
}

/** Puts the chart at the end of a dashboard, or on a new one. */
export function PinMenu({ widget, range }: PinMenuProps) {
  const reason = useReason('manage_widget_dashboard')
  const { data } = useApi('GET /dashboards', { query: { made_by: 'members' } })
  const [isNew, setNew] = useState(false)
  const pin = async (name: string, id: string) => {
    try {
      await pinTo(id)
      await tellPinned(name)
    } catch (error) {
      tellFailure(t('The chart was not pinned'), error)
    }
  }
  const pinTo = async (id: string) => {
    const path = { dashboard_id: id }
    const { widgets, revision } = (await call('GET /dashboards/{dashboard_id}', { path })).data
    const body = {
      ...(revision !== null && { revision }),
      widgets: [...widgets, { ...widget, y: bottomOf(widgets) }],
    }
    await call('PATCH /dashboards/{dashboard_id}', { path, body })
  }
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button disabled={reason !== undefined} title={reason}>
            {t('Pin to a dashboard')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="24rem" style={{ overflowY: 'auto' }}>
          {(data?.data ?? []).map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => void pin(name, id)}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setNew(true)}>{t('A new dashboard')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNew && <NewDashboard {...{ widget, range }} onClose={() => setNew(false)} />}
    </>
  )
}

function NewDashboard({ widget, range, onClose }: PinMenuProps & { onClose: () => void }) {
  const [name, setName] = useState('')
  const create = async () => {
    await call('POST /dashboards', { body: { name, range, widgets: [widget] } })
    await tellPinned(name)
  }
  return (
    <FormDialog title={t('New dashboard')} action={t('Create')} onSubmit={create} onClose={onClose}>
      {(errorOf) => (
        <TextInput
          label={t('Name')}
          description={t('Range: {range}', { range: rangeNames[range][1] })}
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorOf('name')}
        />
      )}
    </FormDialog>
  )
}

async function tellPinned(name: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['GET /dashboards'] })
  await queryClient.invalidateQueries({ queryKey: ['GET /dashboards/{dashboard_id}'] })
  tellSuccess(t('Pinned to {name}.', { name }))
}
