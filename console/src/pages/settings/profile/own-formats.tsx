import { useState } from 'react'
import { combineFormats, type OwnFormats } from '../../../../../server/src/lora/formats.ts'
import { useAction } from '../../../api/hooks.ts'
import { browserLanguage } from '../../../languages/choice.ts'
import { t } from '../../../languages/text.ts'
import { useSession } from '../../../session/session.ts'
import { setFormats } from '../../../ui/formats.ts'
import { tellFailure } from '../../../ui/notices.tsx'
import { FormatFields } from '../format-fields.tsx'

/** How the user reads numbers and times. It holds at once, and is taken back when it is refused. */
export function OwnFormatFields() {
  const { session, organization } = useSession()
  const saved = session.user.formats
  const [chosen, setChosen] = useState(saved)
  const show = (own: OwnFormats) => {
    setChosen(own)
    setFormats(combineFormats(own, organization.formats, browserLanguage()))
  }
  const action = useAction('PATCH /user', {
    invalidates: ['GET /auth/session'],
    onError: (error) => {
      show(saved)
      tellFailure(t('The formats stay as they were'), error)
    },
  })
  return (
    <FormatFields
      chosen={chosen}
      usual={organization.formats}
      onChange={(formats) => {
        show({ ...chosen, ...formats })
        action.mutate({ body: { formats } })
      }}
    />
  )
}
