import { useEffect, useRef } from 'react'
import { t } from '../languages/text.ts'
import type { Entry, Section } from './entries.ts'
import classes from './palette.module.css'

interface ResultListProps {
  id: string
  sections: readonly Section[]
  active: number
  onPoint: (index: number) => void
  onChoose: (entry: Entry) => void
}

/** The list below the field, which keeps the focus (the combobox pattern of WAI-ARIA). */
export function ResultList({ id, sections, active, onPoint, onChoose }: ResultListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`#palette-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const starts = sections.map((_, index) =>
    sections.slice(0, index).reduce((sum, { entries }) => sum + entries.length, 0),
  )
  return (
    <div ref={list} id={id} role="listbox" aria-label={t('Results')} className={classes.list}>
      {sections.map(({ title, entries }, section) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
        <div key={title} role="group" aria-label={title}>
          <div className={classes.title} aria-hidden>
            {title}
          </div>
          {entries.map((entry, offset) => {
            const index = (starts[section] ?? 0) + offset
            return (
              <Option
                key={entry.id}
                entry={entry}
                index={index}
                isActive={index === active}
                onPoint={onPoint}
                onChoose={onChoose}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface OptionProps extends Pick<ResultListProps, 'onPoint' | 'onChoose'> {
  entry: Entry
  index: number
  isActive: boolean
}

function Option({ entry, index, isActive, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore-start lint/a11y/useKeyWithClickEvents: the field hears the keys
    // biome-ignore-start lint/a11y/useFocusableInteractive: the field keeps the focus
    // biome-ignore-start lint/a11y/useSemanticElements: an option element needs a select
    <div
      id={`palette-${index}`}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      data-active={isActive || undefined}
      onMouseMove={() => onPoint(index)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      <span className={classes.name}>{entry.title}</span>
      {entry.detail && <span className={classes.detail}>{entry.detail}</span>}
    </div>
    // biome-ignore-end lint/a11y/useKeyWithClickEvents: as above
    // biome-ignore-end lint/a11y/useFocusableInteractive: as above
    // biome-ignore-end lint/a11y/useSemanticElements: as above
  )
}
