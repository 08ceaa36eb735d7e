import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useDraft } from '../../../ui/draft.tsx'
import { Link } from '../../../ui/link.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { Page } from '../../../ui/page.tsx'
import { firstDraft, toBody } from './draft.ts'
import { TypeForm } from './type-form.tsx'

/** A device type of the user's own, from nothing. */
export function NewTypePage() {
  const navigate = useNavigate()
  const kept = useDraft('new device type', firstDraft)
  const save = useAction('POST /device-types', {
    invalidates: ['GET /catalogue', 'GET /get-device-types', 'GET /device-types'],
    onSuccess: ({ data }) => {
      kept.forget()
      tellSuccess(
        t('{fullname} is saved. Devices can be registered with it.', { fullname: data.full_name }),
      )
      void navigate({ to: '/device-types/$id', params: { id: String(data.id) } })
    },
  })
  return (
    <Page
      title={t('New device type')}
      guide="codecs.html"
      above={<Link to="/device-types">{t('Device types')}</Link>}
      description={t('Write how the frames of a device are read. The cases run as you type.')}
    >
      <TypeForm
        kept={kept}
        saveLabel={t('Save the type')}
        error={save.error}
        isSaving={save.isPending}
        onSave={(draft) => save.mutate({ body: toBody(draft) })}
      />
    </Page>
  )
}
