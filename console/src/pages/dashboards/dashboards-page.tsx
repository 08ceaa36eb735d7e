import { Button, SegmentedControl, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction, useApi } from '../../api/hooks.ts'
import { rich, t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Link } from '../../ui/link.tsx'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState, tellFailure, tellSuccess } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Time } from '../../ui/time.tsx'
import { dashboardReads, type ListedDashboard } from './dashboard.ts'
import { useCopyDashboard } from './dashboard-menu.tsx'
import { ImportDialog, NewDialog } from './new-dialogs.tsx'

const route = getRouteApi('/shell/dashboards')

const shows = [
  { value: 'all', label: t('All') },
  { value: 'members', label: t('Made here') },
  { value: 'service', label: t('Groups and types') },
  { value: 'deleted', label: t('Deleted') },
] as const

/** Dashboards that members have made, and those of groups and device types. */
export function DashboardsPage() {
  const { search = '', show } = route.useSearch()
  const navigate = route.useNavigate()
  const [dialog, setDialog] = useState<'new' | 'import'>()
  const answer = useApi(
    'GET /dashboards',
    {
      query: {
        search,
        ...(show === 'deleted' ? { deleted: 'yes' as const } : { made_by: show }),
      },
    },
    { keepsPrevious: true },
  )
  const change = (changes: { search?: string | undefined; show?: typeof show }) =>
    void navigate({ search: (present) => ({ ...present, ...changes }), replace: true })
  return (
    <Page
      title={t('Dashboards')}
      guide="dashboards.html"
      description={t(
        'What sensors measure, on one page. Each group and device type has one already.',
      )}
      actions={
        <>
          <ActionButton
            needs="manage_widget_dashboard"
            variant="default"
            onClick={() => setDialog('import')}
          >
            {t('Import')}
          </ActionButton>
          <ActionButton needs="manage_widget_dashboard" onClick={() => setDialog('new')}>
            {t('New dashboard')}
          </ActionButton>
        </>
      }
    >
      <FilterBar filters={[]}>
        <SearchField
          aria-label={t('Search dashboards')}
          placeholder={t('Search')}
          value={search}
          onSearch={(text) => change({ search: text || undefined })}
        />
        <SegmentedControl
          aria-label={t('Dashboards to show')}
          data={[...shows]}
          value={show ?? 'all'}
          onChange={(value) => change({ show: value === 'all' ? undefined : (value as 'members') })}
        />
      </FilterBar>
      <List
        caption={t('Dashboards')}
        answer={answer}
        keyOf={({ id }) => id}
        columns={show === 'deleted' ? deletedColumns : columns}
        empty={<Empty isDeleted={show === 'deleted'} isSearch={search !== ''} />}
      />
      {dialog === 'new' && <NewDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'import' && <ImportDialog onClose={() => setDialog(undefined)} />}
    </Page>
  )
}

function Empty({ isDeleted, isSearch }: { isDeleted: boolean; isSearch: boolean }) {
  if (isSearch) return <EmptyState title={t('No matching dashboards')} />
  if (isDeleted) {
    return (
      <EmptyState title={t('Nothing was deleted')}>
        {t('A deleted dashboard can be restored here for 30 days.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('No dashboards yet')}>
      {t('A group or a device has its own dashboard as soon as it is there.')}
    </EmptyState>
  )
}

function forWhom({ made_for, made_by, shared }: ListedDashboard): string {
  if (made_for) return made_for.group === null ? t('Device type') : t('Group')
  return shared === 'private'
    ? t('Only you')
    : t('Everybody, by {name}', { name: made_by?.name ?? '' })
}

const columns: readonly Column<ListedDashboard>[] = [
  {
    title: t('Dashboard'),
    phone: 'title',
    cell: ({ id, name, description }) => (
      <>
        <Link to="/dashboards/$dashboardId" params={{ dashboardId: id }} size="sm" fw={500}>
          {name}
        </Link>
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
      </>
    ),
  },
  { title: t('For'), cell: forWhom },
  {
    title: t('Changed'),
    phone: 'side',
    cell: ({ updated_at }) => (updated_at ? <Time value={updated_at} /> : '–'),
  },
  { title: t('Action'), cell: ({ id, name }) => <CopyButton id={id} name={name} />, isExtra: true },
]

function CopyButton({ id, name }: { id: string; name: string }) {
  const copy = useCopyDashboard()
  return (
    <ActionButton
      needs="manage_widget_dashboard"
      size="compact-sm"
      variant="default"
      onClick={() => copy(id)}
    >
      {rich('Copy{span}', { span: <span className="visually-hidden"> {name}</span> })}
    </ActionButton>
  )
}

const deletedColumns: readonly Column<ListedDashboard>[] = [
  { title: t('Dashboard'), phone: 'title', cell: ({ name }) => name },
  { title: t('Deleted'), phone: 'side', cell: ({ deleted_at }) => <Time value={deleted_at} /> },
  { title: t('Action'), cell: ({ id, name }) => <RestoreButton id={id} name={name} /> },
]

function RestoreButton({ id, name }: { id: string; name: string }) {
  const restore = useAction('POST /dashboards/{dashboard_id}/restore', {
    invalidates: dashboardReads,
    onSuccess: () => tellSuccess(t('{name} is back.', { name })),
    onError: (error) => tellFailure(t('{name} was not restored', { name }), error),
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={restore.isPending}
      onClick={() => restore.mutate({ path: { dashboard_id: id } })}
    >
      {rich('Restore{span}', { span: <span className="visually-hidden"> {name}</span> })}
    </Button>
  )
}
