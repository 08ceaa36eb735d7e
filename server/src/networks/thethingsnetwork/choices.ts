// api/ttn/lorawan/v3/application_services.proto (List), identityserver.proto (AuthInfo).
import { objectOf, textOf } from '../answer-fields.ts'
import { choicesBy, mapPages, toChoice } from '../choices.ts'
import type { Choice } from '../network.ts'
import { listPages, type Session } from './client.ts'

export const listChoices = choicesBy<Session>({ application_id: listApplications })

/** The key of an application lists none (pkg/identityserver/application_registry.go). */
async function* listApplications(session: Session): AsyncGenerator<Choice[]> {
  const { api_key: key } = await session.askIdentityServer({ method: 'GET', path: '/auth_info' })
  const { application_ids: ids } = objectOf(objectOf(key).entity_ids)
  const own = textOf(objectOf(ids).application_id)
  if (own !== '') {
    yield [toChoice(own, undefined)]
    return
  }
  yield* mapPages(listPages(session, '/applications', 'applications'), ({ ids, name }) =>
    toChoice(textOf(objectOf(ids).application_id), name),
  )
}
