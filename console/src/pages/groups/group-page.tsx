import { Tabs } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Logbook } from '../../notes/logbook.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { TabList, tabClasses } from '../../ui/tabs.tsx'
import { AddDevices } from './add-devices.tsx'
import { ConfigureGroup } from './configure-group.tsx'
import { Count, countColumns } from './group-counts.tsx'
import { GroupDevices } from './group-devices.tsx'
import { CreateDialog, DeleteDialog, MoveDialog } from './group-dialogs.tsx'
import { GroupTitle } from './group-title.tsx'
import type { GroupState } from './group-tree.ts'
import classes from './groups.module.css'
import { type GroupDetails, useGroups } from './use-groups.ts'

const route = getRouteApi('/shell/groups/$groupId')

export function GroupPage() {
  const { groupId } = route.useParams()
  const { data, error, refetch } = useApi(
    'GET /fleet/groups/{group_id}',
    { path: { group_id: groupId } },
    { refetchInterval: 60_000 },
  )
  if (!data) {
    return (
      <Page title={t('Group')} above={<Link to="/groups">{t('Groups')}</Link>}>
        {error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <LoadingLines />}
      </Page>
    )
  }
  const group = data.data
  return (
    <Page
      title={<GroupTitle key={group.id} group={group} />}
      name={group.name}
      above={<PathAbove group={group} />}
      description={ownText(group)}
      actions={<GroupActions group={group} />}
    >
      <Figures group={group} />
      <GroupTabs group={group} />
    </Page>
  )
}

function PathAbove({ group }: { group: GroupDetails }) {
  return (
    <>
      <Link to="/groups">{t('Groups')}</Link>
      {group.path.map(({ id, name }) => (
        <span key={id}>
          {' / '}
          <Link to="/groups/$groupId" params={{ groupId: String(id) }}>
            {name}
          </Link>
        </span>
      ))}
    </>
  )
}

function ownText({ own, subtree, subgroups }: GroupDetails): string {
  const all = t('{devices, plural, one {# device} other {# devices}}', { devices: subtree.devices })
  if (subgroups.length === 0) return all
  return t('{all} with its subgroups, {devices} in the group itself', {
    all,
    devices: formatCount(own.devices),
  })
}

/** How the devices in the group and below it are; each number leads to them. */
function Figures({ group }: { group: GroupDetails }) {
  return (
    <ul className={classes.figures} aria-label={t('State of the group with its subgroups')}>
      {countColumns.map((column) => (
        <li key={column.key} className={classes.figure}>
          <span className={classes.value}>
            <Count groupId={group.id} value={group.subtree[column.key]} column={column} />
          </span>
          <span className={classes.caption}>{column.title}</span>
        </li>
      ))}
    </ul>
  )
}

const PlansTab = lazy(() => import('./plans-tab.tsx'))

const otherTabs = ['plans', 'logbook', 'subgroups', 'configure'] as const

function GroupTabs({ group }: { group: GroupDetails }) {
  const { tab = 'devices', search } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (value: string | null) => {
    const next = otherTabs.find((one) => one === value)
    void navigate({ search: (present) => ({ ...present, tab: next }), replace: true })
  }
  const setSearch = (text: string | undefined) =>
    void navigate({ search: (present) => ({ ...present, search: text }), replace: true })
  return (
    <Tabs classNames={tabClasses} value={tab} onChange={open} keepMounted={false}>
      <TabList mb="md">
        <Tabs.Tab value="devices">{t('Devices')}</Tabs.Tab>
        <Tabs.Tab value="plans">{t('Floor plans')}</Tabs.Tab>
        <Tabs.Tab value="logbook">{t('Logbook')}</Tabs.Tab>
        <Tabs.Tab value="subgroups">
          {t('Subgroups ({count})', { count: formatCount(group.subgroups.length) })}
        </Tabs.Tab>
        <Tabs.Tab value="configure">{t('Configure')}</Tabs.Tab>
      </TabList>
      <Tabs.Panel value="devices">
        <GroupDevices group={group} search={search} onSearch={setSearch} />
      </Tabs.Panel>
      <Tabs.Panel value="plans">
        <Suspense fallback={<LoadingLines />}>
          <PlansTab group={group} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="logbook">
        <Logbook kind="group" id={String(group.id)} />
      </Tabs.Panel>
      <Tabs.Panel value="subgroups">
        <Subgroups group={group} />
      </Tabs.Panel>
      <Tabs.Panel value="configure">
        <ConfigureGroup group={group} />
      </Tabs.Panel>
    </Tabs>
  )
}

const subgroupColumns: readonly Column<GroupState>[] = [
  {
    title: t('Group'),
    cell: ({ id, name }) => (
      <Link to="/groups/$groupId" params={{ groupId: String(id) }} fz="sm">
        {name}
      </Link>
    ),
  },
  ...countColumns.map(
    (column): Column<GroupState> => ({
      title: column.title,
      cell: ({ id, subtree }) => <Count groupId={id} value={subtree[column.key]} column={column} />,
      isNumber: true,
      isExtra: column.key !== 'devices' && column.key !== 'silent',
    }),
  ),
]

function Subgroups({ group }: { group: GroupDetails }) {
  const [isCreating, setCreating] = useState(false)
  const create = (
    <ActionButton variant="default" needs="manage_groups" onClick={() => setCreating(true)}>
      {t('New subgroup')}
    </ActionButton>
  )
  return (
    <>
      {group.subgroups.length === 0 ? (
        <EmptyState title={t('No subgroups')} actions={create}>
          {t('Subgroups divide a group further, such as a house into floors.')}
        </EmptyState>
      ) : (
        <>
          <List
            caption={t('Subgroups of {name}', { name: group.name })}
            columns={subgroupColumns}
            rows={group.subgroups}
            keyOf={({ id }) => id}
          />
          {create}
        </>
      )}
      {isCreating && <CreateDialog parent={group} onClose={() => setCreating(false)} />}
    </>
  )
}

function GroupActions({ group }: { group: GroupDetails }) {
  const [open, setOpen] = useState<'add' | 'move' | 'delete'>()
  const groups = useGroups().data?.data ?? []
  const navigate = useNavigate()
  const close = () => setOpen(undefined)
  return (
    <>
      <LinkButton variant="default" to="/devices" search={{ group: group.id }}>
        {t('Open as list')}
      </LinkButton>
      <ActionButton variant="default" needs="manage_groups" onClick={() => setOpen('move')}>
        {t('Move to…')}
      </ActionButton>
      <ActionButton variant="default" needs="manage_groups" onClick={() => setOpen('delete')}>
        {t('Delete')}
      </ActionButton>
      <ActionButton needs="manage_groups" onClick={() => setOpen('add')}>
        {t('Add devices')}
      </ActionButton>
      {open === 'add' && <AddDevices group={group} onClose={close} />}
      {open === 'move' && <MoveDialog group={group} groups={groups} onClose={close} />}
      <DeleteDialog
        group={open === 'delete' ? group : undefined}
        groups={groups}
        onClose={close}
        onDeleted={() => void navigate({ to: '/groups' })}
      />
    </>
  )
}
