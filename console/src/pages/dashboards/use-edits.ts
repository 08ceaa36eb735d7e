import { useEffect, useEffectEvent, useState } from 'react'
import { type KeptDraft, useDraft } from '../../ui/draft.tsx'
import type { Dashboard, Widget } from './dashboard.ts'

/** A widget with a name that stays while it moves. */
export interface EditedWidget extends Widget {
  key: string
}

/** What is changed of a dashboard, and not saved yet. */
export interface Edited
  extends Pick<Dashboard, 'name' | 'description' | 'shared' | 'range' | 'variable'> {
  /** Of the dashboard that was changed. */
  revision: number | null
  widgets: EditedWidget[]
}

let made = 0

export function newKey(): string {
  made += 1
  return `new ${made} ${Date.now()}`
}

function editedOf(dashboard: Dashboard): Edited {
  const { name, description, shared, range, variable, revision, widgets } = dashboard
  return {
    ...{ name, description, shared, range, variable, revision },
    widgets: widgets.map((widget, at) => ({ ...widget, key: String(at) })),
  }
}

export interface Edits {
  present: Edited
  change: (next: Edited) => void
  undo: (() => void) | undefined
  redo: (() => void) | undefined
  draft: KeptDraft<Edited>
  startOver: () => void
}

const mostSteps = 100

/** The changes of a dashboard, each of which can be undone. They are kept when the page is left. */
export function useEdits(dashboard: Dashboard): Edits {
  const draft = useDraft(`dashboard ${dashboard.id}`, editedOf(dashboard))
  const [history, setHistory] = useState({
    past: [] as Edited[],
    present: draft.start,
    future: [] as Edited[],
  })
  const { past, present, future } = history
  const go = (next: typeof history) => {
    setHistory(next)
    draft.keep(next.present)
  }
  const change = (next: Edited) =>
    go({ past: [...past, present].slice(-mostSteps), present: next, future: [] })
  const last = past.at(-1)
  const [next] = future
  const undo =
    last && (() => go({ past: past.slice(0, -1), present: last, future: [present, ...future] }))
  const redo =
    next && (() => go({ past: [...past, present], present: next, future: future.slice(1) }))
  useUndoKeys({ undo, redo })
  return { present, change, undo, redo, draft, startOver: () => change(draft.blank) }
}

/** Ctrl+Z and Ctrl+Shift+Z, unless something is being written. */
function useUndoKeys({ undo, redo }: Pick<Edits, 'undo' | 'redo'>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    const isWritten = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isWritten || !(event.ctrlKey || event.metaKey) || key.toLowerCase() !== 'z') return
    event.preventDefault()
    if (event.shiftKey) redo?.()
    else undo?.()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
