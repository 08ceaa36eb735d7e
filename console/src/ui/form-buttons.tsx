import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../languages/text.ts'

interface FormButtonsProps {
  /** What the form does, on its button. */
  action: ReactNode
  isBusy: boolean
  onCancel: () => void
}

/** The end of a form in a dialog. */
export function FormButtons({ action, isBusy, onCancel }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {t('Cancel')}
      </Button>
      <Button type="submit" loading={isBusy}>
        {action}
      </Button>
    </Group>
  )
}
