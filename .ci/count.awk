# Reads what node's test runner reports, and prints how many tests passed and how many failed.
# A test is cancelled when its file, its suite or a hook fails. One that is skipped because a program
# is not installed counts as failed: CI installs them (server/test/installed.ts).
/^(#|ℹ) (pass|fail|cancelled) / { n[$2] = $3 }
/^ *﹣ .* # .* is not installed$/ { missing++ }
END { print n["pass"] + 0, n["fail"] + n["cancelled"] + missing }
