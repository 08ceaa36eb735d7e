import { ActionIcon, Menu, TextInput } from '@mantine/core'
import {
  IconChevronRight,
  IconDotsVertical,
  IconFolderPlus,
  IconGripVertical,
  IconPencil,
  IconSubtask,
  IconTrash,
} from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from 'react'
import { Button, TreeItemContent } from 'react-aria-components'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { Link } from '../../ui/link.tsx'
import { CountCells, Worst } from './group-counts.tsx'
import type { GroupNode } from './group-tree.ts'
import classes from './groups.module.css'
import { useRowActions } from './row-context.ts'

/** A row of the tree: its handle, its name, its numbers and its menu. */
export function GroupRow({ node }: { node: GroupNode }) {
  return (
    <TreeItemContent>
      {({ level, hasChildItems, isExpanded, allowsDragging }) => (
        <div className={classes.row} data-level={Math.min(level, 12)}>
          <span className={classes.title}>
            {allowsDragging && (
              <Button
                slot="drag"
                className={classes.handle}
                aria-label={t('Drag {name}', { name: node.name })}
              >
                <IconGripVertical size={14} aria-hidden />
              </Button>
            )}
            {hasChildItems ? (
              <Button
                slot="chevron"
                className={classes.chevron}
                data-open={isExpanded || undefined}
              >
                <IconChevronRight size={16} aria-hidden />
              </Button>
            ) : (
              <span className={classes.chevron} />
            )}
            <Own>
              <GroupName node={node} />
            </Own>
          </span>
          <Worst counts={node.subtree} />
          <CountCells groupId={node.id} counts={node.subtree} />
          <span className={classes.menu}>
            <Own>
              <RowMenu node={node} />
            </Own>
          </span>
        </div>
      )}
    </TreeItemContent>
  )
}

/** Keeps what happens in a link or a field of the row from opening and closing the row. */
function Own({ children }: { children: ReactNode }) {
  const stop = (event: SyntheticEvent) => event.stopPropagation()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps events of its children
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <span className={classes.own} onPointerDown={stop} onMouseDown={stop} onClick={stop}>
      {children}
    </span>
  )
}

function GroupName({ node }: { node: GroupNode }) {
  const { renaming } = useRowActions()
  if (renaming === node.id) return <NameField node={node} />
  return (
    <Link
      to="/groups/$groupId"
      params={{ groupId: String(node.id) }}
      className={classes.name}
      title={node.name}
      draggable={false}
    >
      {node.name}
    </Link>
  )
}

/** Enter saves, Escape takes back, and so does leaving the field without a change. */
function NameField({ node }: { node: GroupNode }) {
  const { onRename, onRenamed } = useRowActions()
  const [name, setName] = useState(node.name)
  const finish = () => {
    onRename(undefined)
    if (name.trim() !== '' && name !== node.name) onRenamed(node, name)
  }
  const press = (event: KeyboardEvent) => {
    // The tree searches for typed letters, and opens rows by arrows.
    event.stopPropagation()
    if (event.key === 'Enter') finish()
    if (event.key === 'Escape') onRename(undefined)
  }
  return (
    <TextInput
      size="xs"
      aria-label={t('New name of {name}', { name: node.name })}
      className={classes.field}
      maxLength={255}
      autoFocus
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={press}
      onBlur={finish}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}

function RowMenu({ node }: { node: GroupNode }) {
  const actions = useRowActions()
  const may = useMay('manage_groups')
  if (!may) return null
  return (
    <Menu position="bottom-end" withinPortal returnFocus>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          aria-label={t('Actions of {name}', { name: node.name })}
        >
          <IconDotsVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={15} aria-hidden />}
          onClick={() => actions.onRename(node.id)}
        >
          {t('Rename')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSubtask size={15} aria-hidden />}
          onClick={() => actions.onMoveTo(node)}
        >
          {t('Move to…')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFolderPlus size={15} aria-hidden />}
          onClick={() => actions.onAdd(node)}
        >
          {t('New subgroup')}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={() => actions.onDelete(node)}
        >
          {t('Delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
