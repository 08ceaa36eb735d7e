import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useAction } from '../../api/hooks.ts'
import { saveFile } from '../../api/save-file.ts'
import { t } from '../../languages/text.ts'
import { useReason } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { tellFailure, tellSuccess } from '../../ui/notices.tsx'
import { type Dashboard, dashboardReads } from './dashboard.ts'

const ShareDialog = lazy(async () => ({
  default: (await import('./share-dialog.tsx')).ShareDialog,
}))

/** What can be done with a dashboard besides changing it. */
export function DashboardMenu({ dashboard }: { dashboard: Dashboard }) {
  const reason = useReason('manage_widget_dashboard')
  const [isDeleting, setDeleting] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const copy = useCopyDashboard()
  const isOwn = dashboard.made_for === null
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default">{t('More')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={reason !== undefined}
            title={reason}
            onClick={() => copy(dashboard.id)}
          >
            {t('Copy')}
          </Menu.Item>
          {isOwn && (
            <Menu.Item
              disabled={reason !== undefined}
              title={reason}
              onClick={() => setSharing(true)}
            >
              {t('Share')}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => exportDashboard(dashboard)}>{t('Export as JSON')}</Menu.Item>
          {isOwn && (
            <Menu.Item
              color="red"
              disabled={reason !== undefined}
              title={reason}
              onClick={() => setDeleting(true)}
            >
              {t('Delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isSharing && (
        <Suspense>
          <ShareDialog dashboard={dashboard} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {isDeleting && (
        <DeleteDashboard
          id={dashboard.id}
          name={dashboard.name}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

/** Copies a dashboard, and opens the copy to be changed. */
export function useCopyDashboard(): (id: string) => void {
  const navigate = useNavigate()
  const copy = useAction('POST /dashboards/{dashboard_id}/copy', {
    invalidates: dashboardReads,
    onError: (error) => tellFailure(t('The dashboard was not copied'), error),
    onSuccess: ({ data }) => {
      tellSuccess(t('Copied as {name}.', { name: data.name }))
      void navigate({
        to: '/dashboards/$dashboardId',
        params: { dashboardId: data.id },
        search: { edit: 'yes' },
      })
    },
  })
  return (id) => copy.mutate({ path: { dashboard_id: id }, body: {} })
}

/** What `POST /dashboards` takes. */
function exportDashboard({ name, description, shared, range, variable, widgets }: Dashboard): void {
  const text = JSON.stringify({ name, description, shared, range, variable, widgets }, null, 2)
  const file = name.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase() || 'dashboard'
  saveFile(`${file}.json`, new Blob([text], { type: 'application/json' }))
}

interface DeleteDashboardProps {
  id: string
  name: string
  onClose: () => void
}

export function DeleteDashboard({ id, name, onClose }: DeleteDashboardProps) {
  const navigate = useNavigate()
  const remove = useAction('DELETE /dashboards/{dashboard_id}', {
    invalidates: ['GET /dashboards'],
  })
  return (
    <Confirm
      opened
      title={t('Delete {name}?', { name })}
      action="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync({ path: { dashboard_id: id } })
        tellSuccess(t('{name} is deleted. It can be restored for 30 days.', { name }))
        await navigate({ to: '/dashboards' })
      }}
    >
      {t(
        'Everybody in the organization loses it. It can be restored for 30 days: Dashboards, Deleted.',
      )}
    </Confirm>
  )
}
