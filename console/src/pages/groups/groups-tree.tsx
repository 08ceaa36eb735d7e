import { type KeyboardEvent, useMemo } from 'react'
import {
  Collection,
  DropIndicator,
  type Key,
  ListLayout,
  Tree,
  TreeItem,
  useDragAndDrop,
  Virtualizer,
} from 'react-aria-components'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { countColumns } from './group-counts.tsx'
import { GroupRow } from './group-row.tsx'
import type { GroupNode } from './group-tree.ts'
import classes from './groups.module.css'
import { type RowActions, RowContext } from './row-context.ts'

interface GroupsTreeProps {
  trees: readonly GroupNode[]
  expanded: ReadonlySet<number>
  onExpandedChange: (ids: Iterable<number>) => void
  /** Moves a group into another one, or to the top (null). */
  onMove: (id: number, parentId: number | null) => void
  actions: RowActions
}

/** All rows have one height, so that a tree of thousands draws only those in sight. */
const rowHeight = 40

/** The tree of groups. Rows are dragged by mouse, finger or keyboard (Enter on the handle). */
export function GroupsTree(props: GroupsTreeProps) {
  const { trees, expanded, onExpandedChange, onMove, actions } = props
  const mayMove = useMay('manage_groups')
  const parents = useMemo(() => parentsOf(trees), [trees])
  const rows = useMemo(() => countRows(trees, expanded), [trees, expanded])
  const { dragAndDropHooks } = useDragAndDrop<GroupNode>({
    isDisabled: !mayMove,
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': nameOf(trees, Number(key)) })),
    getAllowedDropOperations: () => ['move'],
    // Siblings stand in the order of their names: a place between two has a meaning at the top only.
    getDropOperation: (target) => {
      const isInto = target.type === 'item' && target.dropPosition === 'on'
      const isTop = target.type === 'item' && parents.get(Number(target.key)) === null
      return isInto || isTop ? 'move' : 'cancel'
    },
    onMove: ({ keys, target }) => {
      const parentId = target.dropPosition === 'on' ? Number(target.key) : null
      for (const key of keys) onMove(Number(key), parentId)
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className={classes.between} />,
  })
  const startRenaming = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest('[role=row]')
    const id = Number(row?.getAttribute('data-key'))
    if (event.key === 'F2' && id && mayMove) actions.onRename(id)
  }
  return (
    <RowContext value={actions}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree inside has the focus */}
      <div className={classes.scroller} onKeyDown={startRenaming}>
        <TreeHead />
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight }}>
          <Tree
            aria-label={t('Groups')}
            className={classes.tree}
            style={{ height: `min(${rows * rowHeight}px, calc(100dvh - 17rem))` }}
            items={trees}
            expandedKeys={expanded as ReadonlySet<Key> as Set<Key>}
            onExpandedChange={(keys) => onExpandedChange([...keys].map(Number))}
            selectionMode="none"
            keyboardNavigationBehavior="tab"
            dragAndDropHooks={dragAndDropHooks}
          >
            {renderItem}
          </Tree>
        </Virtualizer>
      </div>
    </RowContext>
  )
}

function renderItem(node: GroupNode) {
  return (
    <TreeItem id={node.id} textValue={node.name} className={classes.item}>
      <GroupRow node={node} />
      <Collection items={node.children}>{renderItem}</Collection>
    </TreeItem>
  )
}

/** The names of the columns. Each number says its own to screen readers. */
function TreeHead() {
  return (
    <div className={classes.head} aria-hidden>
      <span className={classes.title}>{t('Group')}</span>
      <span className={classes.worst}>{t('Trouble')}</span>
      {countColumns.map(({ key, title }) => (
        <span key={key} className={classes.count} data-extra={key === 'devices' ? undefined : true}>
          {title}
        </span>
      ))}
      <span className={classes.menu} />
    </div>
  )
}

function parentsOf(trees: readonly GroupNode[]): Map<number, number | null> {
  const parents = new Map<number, number | null>()
  const note = (nodes: readonly GroupNode[], parentId: number | null) => {
    for (const node of nodes) {
      parents.set(node.id, parentId)
      note(node.children, node.id)
    }
  }
  note(trees, null)
  return parents
}

/** How many rows are in sight when nothing is scrolled away. */
function countRows(trees: readonly GroupNode[], expanded: ReadonlySet<number>): number {
  return trees.reduce(
    (count, { id, children }) => count + 1 + (expanded.has(id) ? countRows(children, expanded) : 0),
    0,
  )
}

function nameOf(trees: readonly GroupNode[], id: number): string {
  for (const node of trees) {
    const name = node.id === id ? node.name : nameOf(node.children, id)
    if (name) return name
  }
  return ''
}
