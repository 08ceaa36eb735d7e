#!/usr/bin/env bash
# Builds ChirpStack v4 from a clone, and prints the path of the binary: half an hour on two cores.
#   CHIRPSTACK_BIN=$(bench/peers/build-chirpstack.sh CLONE TARGET) npm run bench -- --only peers
# Debian packages: rustc by rustup, protobuf-compiler cmake clang libclang-dev libpq-dev; to run it:
# redis-server mosquitto.
set -euo pipefail
clone=$(cd "$1" && pwd)
mkdir -p "$2"
target=$(cd "$2" && pwd)
mkdir -p "$clone/ui/build"
[ -f "$clone/ui/build/index.html" ] || echo '<!doctype html><title>-</title>' > "$clone/ui/build/index.html"
cd "$clone/chirpstack"
CARGO_TARGET_DIR=$target CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
  cargo build --release --no-default-features --features postgres --bin chirpstack >&2
echo "$target/release/chirpstack"
