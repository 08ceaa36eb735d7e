import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { FrameTool } from '../../../frames/frame-tool.tsx'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { useDraft } from '../../../ui/draft.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines, Page } from '../../../ui/page.tsx'
import { TypeOrigin } from '../origin/type-origin.tsx'
import { type Draft, toBody, toCase } from './draft.ts'
import { OwnValues } from './own-values.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { TypeForm } from './type-form.tsx'

type StoredType = Schemas['CustomDeviceType']

/** A type of the user's own, with its editor. */
export function OwnType({ id, above }: { id: string; above: ReactNode }) {
  const type = useApi('GET /device-types/{id}', { path: { id } })
  if (type.data) {
    const { data } = type.data
    // An update from the catalogue replaces the codec in the editor.
    return <LoadedType key={data.catalogue?.revision} type={data} above={above} />
  }
  return (
    <Page title={t('Device type')} above={above}>
      {type.error ? (
        <ErrorNotice error={type.error} retry={() => void type.refetch()} />
      ) : (
        <LoadingLines count={8} />
      )}
    </Page>
  )
}

function LoadedType({ type, above }: { type: StoredType; above: ReactNode }) {
  const id = String(type.id)
  const [wanted, setWanted] = useState<Draft>()
  // What is typed stays when the type is read again.
  const [stored] = useState(() => toDraft(type))
  const kept = useDraft(`device type ${id}`, stored)
  const save = useAction('PATCH /device-types/{id}', {
    invalidates: ['GET /catalogue', 'GET /catalogue/{id}', 'GET /device-types/{id}'],
    onSuccess: () => {
      kept.forget()
      tellSuccess(t('Saved. Frames that come from now on are read with it.'))
    },
  })
  return (
    <Page
      title={type.type_name}
      guide="codecs.html"
      above={above}
      description={type.part_number || undefined}
      actions={
        <>
          <LinkButton to="/devices" search={{ type: type.id }} variant="default">
            {t('Devices of this type')}
          </LinkButton>
          <DecodeAgain id={id} />
          <DeleteType type={type} />
        </>
      }
    >
      <TypeOrigin type={type} mayChange />
      <TypeForm
        kept={kept}
        typeId={type.id}
        saveLabel={t('Save')}
        error={undefined}
        isSaving={save.isPending}
        onSave={setWanted}
      />
      <OwnValues type={type} />
      <FrameTool deviceType={type.id} example={stored.cases[0]?.bytes ?? ''} />
      {wanted && (
        <SaveDialog
          draft={wanted}
          typeId={type.id}
          onClose={() => setWanted(undefined)}
          onSave={() => save.mutateAsync({ path: { id }, body: toBody(wanted) })}
        />
      )}
    </Page>
  )
}

function toDraft(type: StoredType): Draft {
  return {
    type_name: type.type_name,
    part_number: type.part_number,
    payload_format: type.payload_format,
    codec: type.codec ?? '',
    cases: type.examples.map(toCase),
  }
}

function DecodeAgain({ id }: { id: string }) {
  const decode = useAction('POST /device-types/{id}/decode-again', {
    onSuccess: () =>
      tellSuccess(t('The stored UNKNOWN frames are decoded again in the background.')),
  })
  return (
    <ActionButton
      needs="manage_devices"
      variant="default"
      loading={decode.isPending}
      onClick={() => decode.mutate({ path: { id } })}
    >
      {t('Decode UNKNOWN frames again')}
    </ActionButton>
  )
}

function DeleteType({ type }: { type: StoredType }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = useAction('DELETE /device-types/{id}', {
    invalidates: ['GET /catalogue', 'GET /get-device-types', 'GET /device-types'],
    onSuccess: () => {
      tellSuccess(t('{fullname} is deleted.', { fullname: type.full_name }))
      void navigate({ to: '/device-types' })
    },
  })
  return (
    <>
      <ActionButton needs="manage_devices" variant="default" onClick={() => setAsking(true)}>
        {t('Delete')}
      </ActionButton>
      <Confirm
        opened={isAsking}
        title={t('Delete {fullname}?', { fullname: type.full_name })}
        action={t('Delete the type')}
        onConfirm={() => remove.mutateAsync({ path: { id: String(type.id) } })}
        onClose={() => setAsking(false)}
      >
        {t('Its codec and test cases are deleted too. A type that devices use cannot be deleted.')}
      </Confirm>
    </>
  )
}
