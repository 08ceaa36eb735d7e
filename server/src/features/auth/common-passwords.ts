/**
 * Passwords of 8 characters and more that people choose most, in lower case: those that head every
 * published list of leaked ones, and a few that suggest themselves here. Not a list of breached
 * passwords (OWASP ASVS 5.0, 6.2.4 asks for 3,000 and 6.2.12 for those): it stops the first
 * guesses of a stranger, no more.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  password password1 password12 password123 password1234 password! password1! passw0rd p@ssword
  p@ssw0rd p@ssw0rd1 passwort passwort1 passwords mypassword newpassword nopassword
  12345678 123456789 1234567890 01234567 012345678 0123456789 87654321 987654321 0987654321
  11111111 111111111 1111111111 00000000 000000000 0000000000 22222222 33333333 55555555 66666666
  77777777 88888888 888888888 99999999 999999999 12341234 123123123 12121212 123321123 112233445566
  11223344 1122334455 12344321 1234512345 123454321 1234qwer qwer1234 1q2w3e4r 1q2w3e4r5t
  1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1zaq1 q1w2e3r4 q1w2e3r4t5 a1b2c3d4 abcd1234 1234abcd abc12345
  abc123456 a1234567 a12345678 a123456789 aa123456 aa12345678 123456aa 12345678a 123456789a
  qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 123qweasd 123qwe123
  123qweasdzxc qweasdzxc qazwsxedc qwertz123 qwertzuiop azertyuiop asdfghjk asdfghjkl asdfasdf
  asdf1234 asdfqwer zxcvbnm1 zxcvbnm123 1qazxsw2 abcdefgh abcdefghi abcdefg1 abcdef123
  iloveyou iloveyou1 iloveyou2 ilovegod sunshine sunshine1 princess princess1 football football1
  baseball baseball1 basketball superman superman1 spiderman batman123 starwars starwars1 pokemon1
  pokemon123 dragon123 monkey123 shadow123 master123 michael1 michelle jennifer jessica1 charlie1
  ashley123 welcome1 welcome12 welcome123 welcome1! letmein1 letmein123 trustno1 whatever whatever1
  internet computer computer1 corvette maverick mercedes midnight liverpool liverpool1 chelsea1
  arsenal1 chocolate butterfly samantha victoria alexander jonathan danielle elizabeth
  changeme changeme1 changeme123 changeit default1 default123 secret123 secret12 topsecret
  test1234 test12345 testtest testing1 testing123 temp1234 demo1234 demo12345 guest123 guest1234
  user1234 username administrator admin123 admin1234 admin12345 admin123456 adminadmin admin@123
  root1234 rootroot toor1234 superuser manager1 company1 company123 system123 server123
  lorawan1 lorawan123 chirpstack sensor123 gateway1 gateway123
  google123 facebook facebook1 linkedin myspace1 samsung1 samsung123 minecraft fuckyou1 fuckyou2
  blink182 slipknot metallica nintendo playstation pa55word pa55w0rd pass1234 pass12345 passpass
  `
    .trim()
    .split(/\s+/),
)
