import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../languages/text.ts'
import { useKnownTags } from '../../../tags/tag-choices.ts'
import { suggestTyped, TagsField } from '../../../tags/tag-fields.tsx'
import { mostTags, tagsOf } from '../../../tags/tag-text.ts'
import { Form } from '../../../ui/form.tsx'
import { type Chosen, startJob } from './start-job.ts'

interface TagDialogProps {
  mode: 'add' | 'remove'
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** Gives devices tags beside their own, or takes some away by their keys. */
export function TagDialog({ mode, chosen, onStarted, onClose }: TagDialogProps) {
  const [texts, setTexts] = useState<string[]>([])
  const { keys } = useKnownTags()
  const changes = mode === 'add' ? { add_tags: tagsOf(texts) } : { remove_tags: texts }
  return (
    <Form
      action={`${mode === 'add' ? t('Tag') : t('Remove from')} ${t('{count, plural, one {# device} other {# devices}}', { count: chosen.ids.length })}`}
      blockedBy={texts.length === 0 ? t('Enter a tag.') : undefined}
      onSubmit={async () =>
        onStarted(await startJob({ kind: 'change', changes }, chosen, () => {}))
      }
      onClose={onClose}
    >
      {mode === 'add' ? (
        <TagsField label={t('Tags')} value={texts} onChange={setTexts} />
      ) : (
        <TagsInput
          data-autofocus
          label={t('Keys of the tags')}
          description={t('Devices without them stay as they are. Enter adds a key to the list.')}
          data={keys}
          filter={suggestTyped}
          maxTags={mostTags}
          acceptValueOnBlur
          value={texts}
          onChange={setTexts}
        />
      )}
    </Form>
  )
}
