import { listUsers } from '../features/users/user-queries.ts'
import { command } from './command.ts'

/** Most lines of one call. */
const most = 1000

export const listUsersCommand = command({
  name: 'user list',
  parameters: [],
  summary: 'lists the users: id, e-mail, and the organizations they own',
  help: `Lists ${most} users at most, by id.

  --search TEXT  only those whose e-mail or name has this in it, in any case`,
  options: { search: { type: 'string' } },
  run: ({ say, withDatabase }, _parameters, { search }) =>
    withDatabase(async ({ db }) => {
      const users = await listUsers(db, search ?? '', most + 1)
      for (const { id, email, owned } of users.slice(0, most)) {
        say([id, email, ...(owned ? [`owner of ${owned}`] : [])].join('\t'))
      }
      if (users.length === 0) say('There is no such user.')
      if (users.length > most) say(`There are more: name some with --search.`)
      return { users: users.slice(0, most), more: users.length > most }
    }),
})
