import { Button, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../languages/text.ts'
import type { PartProps } from './current-device.tsx'

/** The notes of the device: where it hangs, who has the key. */
export function InstallNotes({ install, onChange }: PartProps) {
  const [text, setText] = useState(install.notes)
  const save = () => {
    const extra_notes = text.trim() || null
    onChange(({ details }) => ({ notes: text, details: { ...details, extra_notes } }))
  }
  const leave = useRef(save)
  leave.current = () => {
    if (text !== install.notes) save()
  }
  // Phones go on to the next device without a blur.
  useEffect(() => () => leave.current(), [])
  return (
    <>
      <Textarea
        aria-label={t('Notes')}
        placeholder={t('Where it hangs, who has the key, what to bring.')}
        autosize
        minRows={2}
        maxLength={5000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => leave.current()}
      />
      <Button variant="default" w="fit-content" disabled={text === install.notes} onClick={save}>
        {text === install.notes && text !== '' ? t('Notes kept') : t('Keep notes')}
      </Button>
    </>
  )
}
