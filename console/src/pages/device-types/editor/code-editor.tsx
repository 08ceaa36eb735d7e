import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../../../ui/style-nonce.ts'
import classes from '../device-types.module.css'

/** A colour of the theme that is read on light and on dark: at least 4.5 to 1. */
function shade(name: string): string {
  const own = `light-dark(var(--mantine-color-${name}-9), var(--mantine-color-${name}-4))`
  return `color-mix(in oklab, ${own} 85%, var(--mantine-color-text))`
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: shade('violet') },
  { tag: [tags.string, tags.inserted], color: shade('teal') },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: shade('orange') },
  { tag: [tags.regexp, tags.escape, tags.special(tags.string)], color: shade('pink') },
  { tag: tags.function(tags.variableName), color: shade('blue') },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: shade('cyan') },
  { tag: [tags.className, tags.typeName], color: shade('grape') },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  { tag: tags.invalid, color: shade('red') },
])

const look = EditorView.theme({
  '&': {
    fontSize: 'var(--mantine-font-size-sm)',
    backgroundColor: 'transparent',
    color: 'var(--mantine-color-text)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    minHeight: '14rem',
    maxHeight: '36rem',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--mantine-color-dimmed)',
    border: 'none',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-primary-color-filled) 30%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
  },
})

/**
 * Replaces a selection by what is typed. Left to Chromium, that makes elements with inline styles,
 * which the policy of the page refuses with a report.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event
    if (inputType !== 'insertText' || !data || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type' })
    return true
  },
})

interface CodeEditorProps {
  value: string
  label: string
  /** What is wrong, at a line that counts from 1. */
  fault?: { message: string; line: number | undefined } | undefined
  onChange: (value: string) => void
}

/** An editor of JavaScript. The tab key leaves it, as any field. */
export function CodeEditor({ value, label, fault, onChange }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const change = useRef(onChange)
  change.current = onChange
  const first = useRef(value)
  useEffect(() => {
    if (!place.current) return
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: extensionsOf(label, (text) => change.current(text)),
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    if (view.current) showFault(view.current, fault)
  }, [fault])
  return <div ref={place} className={classes.code} />
}

function extensionsOf(label: string, onChange: (text: string) => void) {
  return [
    EditorView.cspNonce.of(styleNonce),
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    lintGutter(),
    javascript(),
    syntaxHighlighting(colours),
    look,
    typeOverSelection,
    keymap.of([...defaultKeymap, ...historyKeymap]),
    // What scrolls must be reached by the keyboard; axe wants it said.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString())
    }),
  ]
}

function showFault(view: EditorView, fault: CodeEditorProps['fault']): void {
  const { doc } = view.state
  const line = fault && doc.line(Math.min(Math.max(fault.line ?? 1, 1), doc.lines))
  const diagnostics =
    fault && line
      ? [{ from: line.from, to: line.to, severity: 'error' as const, message: fault.message }]
      : []
  view.dispatch(setDiagnostics(view.state, diagnostics))
}
