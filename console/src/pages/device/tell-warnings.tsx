import { notifications } from '@mantine/notifications'
import { IconInfoCircle } from '@tabler/icons-react'
import { t } from '../../languages/text.ts'

/** Says what the API adds to a change that is done. It stays until it is closed. */
export function tellWarnings(warnings: readonly string[] | undefined): void {
  if (!warnings?.length) return
  notifications.show({
    title: t('Changed. Please note:'),
    message: warnings.join(' '),
    icon: <IconInfoCircle size={16} aria-hidden />,
    autoClose: false,
  })
}
