import { Text } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { ShownOnce } from '../../../ui/form-dialog.tsx'

export function SecretShown({
  secret,
  note,
  onClose,
}: {
  secret: string
  note?: string
  onClose: () => void
}) {
  return (
    <ShownOnce label={t('Secret')} value={secret} onClose={onClose}>
      <Text size="sm">
        {t(
          'Each message is signed with this secret, as the Standard Webhooks specification describes: your server checks it, and knows who sends. It is shown only now.',
        )}
      </Text>
      {note && <Text size="sm">{note}</Text>}
    </ShownOnce>
  )
}
