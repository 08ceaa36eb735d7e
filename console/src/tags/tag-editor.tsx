import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { t } from '../languages/text.ts'
import type { Permission } from '../session/session.ts'
import { useReason } from '../ui/action-button.tsx'
import { useDraft } from '../ui/draft.tsx'
import { Form } from '../ui/form.tsx'
import { TagsField } from './tag-fields.tsx'
import { TagList } from './tag-list.tsx'
import { type Tags, tagsOf, textsOf } from './tag-text.ts'
import classes from './tags.module.css'

interface TagEditorProps {
  /** What they belong to: its draft is kept by it. */
  of: string
  tags: Tags
  needs: Permission
  to: '/devices' | '/gateways'
  /** Rejects when they were refused. */
  onSave: (tags: Record<string, string>) => Promise<unknown>
}

/** Tags, and a field for them where they stand. */
export function TagEditor({ of, tags, needs, to, onSave }: TagEditorProps) {
  const kept = useDraft(`tags of ${of}`, { texts: textsOf(tags) })
  const [texts, setTexts] = useState(kept.isRestored ? kept.start.texts : undefined)
  const opener = useRef<HTMLButtonElement>(null)
  const mayNot = useReason(needs) !== undefined
  const close = () => {
    kept.forget()
    setTexts(undefined)
    requestAnimationFrame(() => opener.current?.focus())
  }
  const save = async () => {
    await onSave(tagsOf(texts ?? []))
    close()
  }
  if (texts === undefined || mayNot) {
    return (
      <div className={classes.line}>
        <TagList tags={tags} to={to} />
        {!mayNot && (
          <ActionIcon
            ref={opener}
            variant="subtle"
            size="sm"
            aria-label={t('Edit tags')}
            title={t('Edit tags')}
            onClick={() => setTexts(textsOf(tags))}
          >
            <IconPencil size={14} aria-hidden />
          </ActionIcon>
        )}
      </div>
    )
  }
  // While something is typed, Escape closes the suggestions.
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    const isTyping = target instanceof HTMLInputElement && target.value !== ''
    if (key === 'Escape' && !isTyping) close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key for what has a button
    <div onKeyDown={onKeyDown}>
      <Form action={t('Save')} onSubmit={save} onClose={close}>
        {(errorOf) => (
          <TagsField
            label={t('Tags')}
            value={texts}
            error={errorOf('tags')}
            onChange={(next) => {
              kept.keep({ texts: next })
              setTexts(next)
            }}
          />
        )}
      </Form>
    </div>
  )
}
