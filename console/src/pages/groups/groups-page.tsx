import { Button, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { CreateDialog, DeleteDialog, MoveDialog } from './group-dialogs.tsx'
import { filterTrees, type GroupNode, type GroupState, parentIds, toTrees } from './group-tree.ts'
import { GroupsTree } from './groups-tree.tsx'
import { useExpanded } from './use-expanded.ts'
import { useGroups, useMove, useRename } from './use-groups.ts'

const route = getRouteApi('/shell/groups')

export function GroupsPage() {
  const { data, error, refetch } = useGroups()
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title={t('Groups')}
      actions={
        <ActionButton needs="manage_groups" onClick={() => setCreating(true)}>
          {t('New group')}
        </ActionButton>
      }
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={8} />}
      {data?.total === 0 && (
        <EmptyState title={t('No groups yet')}>
          {t(
            'Groups organize devices by building, floor or customer. A device can be in several groups. A group shows the condition of all devices in it and in its subgroups.',
          )}
        </EmptyState>
      )}
      {data && data.total > 0 && <Groups groups={data.data} />}
      {isCreating && <CreateDialog parent={undefined} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function Groups({ groups }: { groups: readonly GroupState[] }) {
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const trees = useMemo(() => toTrees(groups), [groups])
  const shown = useMemo(() => filterTrees(trees, search), [trees, search])
  const [expanded, setExpanded] = useExpanded(trees)
  // A search opens what it found, and leaves what was open as it is.
  const opened = useMemo(
    () => (search ? new Set(parentIds(shown)) : expanded),
    [search, shown, expanded],
  )
  return (
    <>
      <Group gap="xs">
        <SearchField
          aria-label={t('Search groups')}
          placeholder={t('Name of a group')}
          value={search}
          onSearch={(text) =>
            void navigate({
              search: (present) => ({ ...present, search: text || undefined }),
              replace: true,
            })
          }
        />
        <Button variant="default" onClick={() => setExpanded(parentIds(trees))}>
          {t('Expand all')}
        </Button>
        <Button variant="default" onClick={() => setExpanded([])}>
          {t('Collapse all')}
        </Button>
        <Text size="sm" c="dimmed" role="status" ml="auto">
          {t('{count, plural, one {# group} other {# groups}}', { count: groups.length })}
        </Text>
      </Group>
      {shown.length === 0 ? (
        <EmptyState title={t('No matching groups')} />
      ) : (
        <EditableTree
          groups={groups}
          trees={shown}
          expanded={opened}
          onExpandedChange={search ? () => {} : setExpanded}
        />
      )}
    </>
  )
}

interface EditableTreeProps {
  groups: readonly GroupState[]
  trees: readonly GroupNode[]
  expanded: ReadonlySet<number>
  onExpandedChange: (ids: Iterable<number>) => void
}

/** The tree with what its rows can start. */
function EditableTree({ groups, trees, expanded, onExpandedChange }: EditableTreeProps) {
  const [renaming, setRenaming] = useState<number>()
  const [moving, setMoving] = useState<GroupState>()
  const [deleting, setDeleting] = useState<GroupState>()
  const [parent, setParent] = useState<GroupState>()
  const move = useMove()
  const rename = useRename()
  const moveTo = (id: number, parentId: number | null) => {
    const group = groups.find((one) => one.id === id)
    if (!group || group.parent_id === parentId) return
    const parentName = groups.find((one) => one.id === parentId)?.name ?? t('the top level')
    move.mutate({ group, parentId, parentName })
    if (parentId !== null) onExpandedChange([...expanded, parentId])
  }
  return (
    <>
      <GroupsTree
        trees={trees}
        expanded={expanded}
        onExpandedChange={onExpandedChange}
        onMove={moveTo}
        actions={{
          renaming,
          onRename: setRenaming,
          onRenamed: (group, name) => rename.mutate({ group, name }),
          onMoveTo: setMoving,
          onAdd: setParent,
          onDelete: setDeleting,
        }}
      />
      {moving && <MoveDialog group={moving} groups={groups} onClose={() => setMoving(undefined)} />}
      <DeleteDialog group={deleting} groups={groups} onClose={() => setDeleting(undefined)} />
      {parent && (
        <CreateDialog
          parent={parent}
          onClose={() => setParent(undefined)}
          onCreated={() => parent && onExpandedChange([...expanded, parent.id])}
        />
      )}
    </>
  )
}
