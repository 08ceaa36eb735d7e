import { createContext, useContext } from 'react'
import type { GroupNode } from './group-tree.ts'

/** The actions that a row of the tree can start. The dialogs are outside the tree. */
export interface RowActions {
  /** The group whose name is being changed. */
  renaming: number | undefined
  onRename: (id: number | undefined) => void
  onRenamed: (node: GroupNode, name: string) => void
  onMoveTo: (node: GroupNode) => void
  onAdd: (node: GroupNode) => void
  onDelete: (node: GroupNode) => void
}

export const RowContext = createContext<RowActions | undefined>(undefined)

export function useRowActions(): RowActions {
  const actions = useContext(RowContext)
  if (!actions) throw new Error('A row stands in a tree.')
  return actions
}
