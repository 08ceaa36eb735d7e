import { Button, Group, Stack, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useKnownTags } from '../../../tags/tag-choices.ts'
import { suggestTyped, TagsField } from '../../../tags/tag-fields.tsx'
import { mostTags, tagsOf } from '../../../tags/tag-text.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { type Chosen, startJob } from './start-job.ts'
import { useStart } from './use-start.ts'

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
  const { isBusy, error, start } = useStart(onStarted)
  const changes = mode === 'add' ? { add_tags: tagsOf(texts) } : { remove_tags: texts }
  return (
    <Stack>
      {mode === 'add' ? (
        <TagsField label="Tags" value={texts} onChange={setTexts} />
      ) : (
        <TagsInput
          data-autofocus
          label="Keys of the tags"
          description="Devices without them stay as they are. Enter adds a key to the list."
          data={keys}
          filter={suggestTyped}
          maxTags={mostTags}
          acceptValueOnBlur
          value={texts}
          onChange={setTexts}
        />
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={isBusy}
          disabled={texts.length === 0}
          onClick={() => start(() => startJob({ kind: 'change', changes }, chosen, () => {}))}
        >
          {mode === 'add' ? 'Tag' : 'Remove from'} {countOf(chosen.ids.length, 'device')}
        </Button>
      </Group>
    </Stack>
  )
}
