import { Button, Menu } from '@mantine/core'
import { call } from '../../../api/client.ts'
import { queryClient, useApi } from '../../../api/hooks.ts'
import { useReason } from '../../../ui/action-button.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import type { RangeWord, Widget } from '../dashboard.ts'
import { bottomOf } from '../layout.ts'

interface PinMenuProps {
  widget: Widget
  range: RangeWord
}

/** Puts the chart at the end of a dashboard, or on a new one. */
export function PinMenu({ widget, range }: PinMenuProps) {
  const reason = useReason('manage_widget_dashboard')
  const { data } = useApi('GET /dashboards', { query: { made_by: 'members' } })
  const pin = async (name: string, work: () => Promise<unknown>) => {
    try {
      await work()
      await queryClient.invalidateQueries({ queryKey: ['GET /dashboards'] })
      await queryClient.invalidateQueries({ queryKey: ['GET /dashboards/{dashboard_id}'] })
      tellSuccess(`Pinned to ${name}.`)
    } catch (error) {
      tellFailure('The chart was not pinned', error)
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
    <Menu>
      <Menu.Target>
        <Button disabled={reason !== undefined} title={reason}>
          Pin to a dashboard
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="24rem" style={{ overflowY: 'auto' }}>
        {(data?.data ?? []).map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => void pin(name, () => pinTo(id))}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Item
          onClick={() => {
            const name = 'Explored'
            const body = { name, range, widgets: [widget] }
            void pin(name, () => call('POST /dashboards', { body }))
          }}
        >
          A new dashboard
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
