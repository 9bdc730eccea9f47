#!/bin/sh
# What the lesson programs do with wrong flags, files and signals, and what their output keeps to: one line on stderr and
# exit status 2 for wrong input, nothing half-written, the same bytes from every run.
# Run: sh tests/test_bad_input.sh FOLDER_OF_PROGRAMS ROOT [EMULATOR...]
# The emulator is what starts the programs where they are not made for this machine.
# SPDX-License-Identifier: MIT

[ $# -ge 2 ] || { echo "usage: sh tests/test_bad_input.sh FOLDER_OF_PROGRAMS ROOT [EMULATOR...]" >&2; exit 2; }
absolute() { (cd "$(dirname "$1")" && printf '%s/%s' "$(pwd)" "$(basename "$1")"); }
programs=$(absolute "$1") play=$(absolute "$2/common/data/play.txt")
shift 2
numbers="1 2 3 4 5 6"
for number in $numbers; do
  [ -f "$programs/lesson$number" ] || { echo "test_bad_input: no file $programs/lesson$number" >&2; exit 1; }
done
[ -f "$play" ] || { echo "test_bad_input: no file $play" >&2; exit 1; }

# Programs run in box/, far from the tree; what the test itself needs lies beside it.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/box" "$work/emulated" && cd "$work/box" || exit 1
if [ $# -gt 0 ]; then
  for number in $numbers; do
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$*" "$programs/lesson$number" >"$work/emulated/lesson$number"
    chmod +x "$work/emulated/lesson$number"
  done
  programs=$work/emulated
fi
lesson1=$programs/lesson1 lesson2=$programs/lesson2 lesson3=$programs/lesson3
lesson4=$programs/lesson4 lesson5=$programs/lesson5 lesson6=$programs/lesson6
out=$work/stdout err=$work/stderr
export LC_ALL=C LANG=C
unset NO_COLOR

checks=0 failed=0
fail() { failed=$((failed + 1)); echo "FAIL $*"; }
check() { # WHAT COMMAND...: the command succeeds
  what=$1; shift; checks=$((checks + 1))
  "$@" || fail "$what"
}
note() { echo "not checked: $*"; }

# Runs a program; its exit status goes to $status.
run() { "$@" >"$out" 2>"$err"; status=$?; }
snapshot() { find . | sort; find . -type f -exec cksum {} + | sort; }
name_of() { basename "$1"; }

# A program that trains where it should refuse is stopped after a minute. $memory: the kilobytes that it gets, or all.
memory=
limited() { (ulimit -t 60; [ -z "$memory" ] || ulimit -v "$memory"; exec "$@"); }
refuse() { # PART_OF_MESSAGE PROGRAM FLAGS...
  message=$1; shift; checks=$((checks + 1))
  before=$(snapshot)
  run limited "$@"
  shown="$(name_of "$1") $(shift; echo "$*" | cut -c 1-100 | tr '\n' ' ')"
  [ $status -eq 2 ] || { fail "$shown: exit status $status, not 2"; return; }
  [ "$(wc -l <"$err")" -eq 1 ] || fail "$shown: not one line on stderr: $(cat "$err")"
  case $(cat "$err") in "$(name_of "$1"): "*) ;; *) fail "$shown: does not name the program: $(cat "$err")" ;; esac
  grep -qF -e "$message" "$err" || fail "$shown: '$(cat "$err")' lacks '$message'"
  [ ! -s "$out" ] || fail "$shown: wrote to stdout"
  [ "$before" = "$(snapshot)" ] || { fail "$shown: wrote files"; snapshot; }
}
accept() { # PROGRAM FLAGS...
  checks=$((checks + 1))
  run "$@"
  shown="$(name_of "$1") $(shift; echo "$*" | cut -c 1-100)"
  [ $status -eq 0 ] || fail "$shown: exit status $status: $(cat "$err") $(grep FAIL "$out")"
  [ ! -s "$err" ] || fail "$shown: stderr is $(cat "$err")"
}

# --------------------------------------------------------------------------------------------- properties of output

# Lines wider than 80 code points, or $2: bytes that continue a UTF-8 character do not count.
narrow() { ! awk -v most="${2:-80}" '{ gsub(/[\200-\277]/, ""); if (length($0) > most) { print FILENAME ": " $0; wide = 1 } } END { exit !wide }' "$1"; }
no_controls() { [ "$(tr -cd '\000-\011\013-\037\177' <"$1" | wc -c)" -eq 0 ]; }
valid_utf8() { ! command -v iconv >/dev/null || iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1; }
command -v iconv >/dev/null || note "valid UTF-8 (iconv is not here)"
presentable() { # NAME FILE
  grep -v '^wrote ' "$2" >"$work/lines" # paths may be long
  check "$1: at most 80 columns" narrow "$work/lines"
  check "$1: no control characters" no_controls "$2"
  check "$1: valid UTF-8" valid_utf8 "$2"
}

# Every opened element is closed as often. <meta and <br> stand alone, and so do SVG's elements that end in />.
balanced() {
  tr '\n' ' ' <"$1" | sed 's/<[^<>]*\/>//g' | tr '>' '\n' | awk '
    { sub(/.*</, "<"); if (!/^</) next; tag = $1; sub(/^</, "", tag); closing = sub(/^\//, "", tag); open[tag] += closing ? -1 : 1 }
    END { for (tag in open) if (open[tag] != 0 && tag !~ /^(!doctype|meta|br|hr)$/) { print "tag " tag ": " open[tag]; bad = 1 }
          exit bad }'
}
self_contained() { ! sed 's/xmlns="http:\/\/www\.w3\.org\/[^"]*"//g' "$1" | grep -qE 'https?:|src=|<link|<script|@import|url\('; }
web_page() { # NAME FILE
  check "$1: exists" test -s "$2"
  check "$1: needs nothing else" self_contained "$2"
  check "$1: tags balanced" balanced "$2"
  check "$1: valid UTF-8" valid_utf8 "$2"
  check "$1: complete" grep -q '</html>' "$2"
}

# A safetensors file: 8 bytes of length, a header of that length, and as many bytes of data as the header says.
header_size() { od -An -tu1 -N8 "$1" | awk '{ for (k = NF; k > 0; --k) n = n * 256 + $k; print n }'; }
header() { dd if="$1" bs=1 skip=8 count="$(header_size "$1")" 2>/dev/null; }
loads() { # FILE TENSOR...: the header lists each tensor, and the sizes agree
  file=$1; shift
  end=$(header "$file" | tr '[' '\n' | awk -F '[],]' '/^[0-9]+,[0-9]+\]\}/ && $2 > end { end = $2 } END { print end }')
  [ "$(wc -c <"$file")" -eq $((8 + $(header_size "$file") + end)) ] || return 1
  for tensor in "$@"; do header "$file" | grep -qF "\"$tensor\":{" || { echo "no $tensor"; return 1; }; done
}
every_parameter_has_a_gradient() {
  header "$1" | tr '"' '\n' | grep '\.param\.' >"$work/parameters"
  [ -s "$work/parameters" ] || return 1
  while read -r tensor; do
    header "$1" | grep -qF "\"$(echo "$tensor" | sed 's/\.param\./.grad./')\":{" || { echo "no gradient of $tensor"; return 1; }
  done <"$work/parameters"
}

# ---------------------------------------------------------------------------------------------------- wrong flags

ln -s nowhere dangling
ln -s loop loop
for number in $numbers; do
  lesson=$programs/lesson$number
  refuse "unknown flag '--colour'" "$lesson" --colour
  refuse "unknown flag '-q'" "$lesson" -q
  refuse "stray word 'word'" "$lesson" word
  refuse "stray word '5'" "$lesson" --quick 5
  refuse "--out needs a value" "$lesson" --quick --out
  refuse "--out needs a value" "$lesson" --out --quick
  refuse "--out needs a value" "$lesson" --out ''
  refuse "--steps: '-1' is not between 1 and" "$lesson" --steps -1
  refuse "--steps: '0' is not between 1 and" "$lesson" --steps 0
  refuse "--steps: 'abc' is not a whole number" "$lesson" --steps abc
  refuse "--steps: '1.5' is not a whole number" "$lesson" --steps 1.5
  refuse "--steps: '99999999999999999999' is not between" "$lesson" --steps 99999999999999999999
  refuse "--seed: '-1' is not between 0 and" "$lesson" --seed -1
  refuse "--threads: '0' is not between 1 and" "$lesson" --threads 0
  refuse "--seed stands twice" "$lesson" --seed 1 --seed 2
  refuse "--quick stands twice" "$lesson" --quick --quick
  refuse "--part: '99' is not between" "$lesson" --part 99
  refuse "unknown flag '--two lines'" "$lesson" '--two
lines'
  echo "kept" >plain
  refuse "--out: " "$lesson" --out plain/below
  refuse "--out: " "$lesson" --out plain
  refuse "--export: cannot write 'missing/file'" "$lesson" --export missing/file
  refuse "--export: cannot write '.': it is a directory" "$lesson" --export .
  refuse "--export: cannot write '/dev/null': not a regular file" "$lesson" --export /dev/null
  refuse "--export: cannot write 'dangling': it is a link that leads to no file" "$lesson" --export dangling
  refuse "--export: cannot write 'loop': it is a link that leads to no file" "$lesson" --export loop
  refuse "--export stands alone: --seed would have no effect" "$lesson" --export kept --seed 5
  refuse "--export stands alone: --quick would have no effect" "$lesson" --quick --export kept
done
refuse "--export stands alone: --resume would have no effect" "$lesson6" --export kept --resume nix --save s9
refuse "unknown flag '--text'" "$lesson1" --text "$play"
for rate in nan inf -1 0 1e999 abc 0.1x ' 1' '1 ' 0x1; do refuse "--lr: '$rate' is not" "$lesson2" --lr "$rate"; done
refuse "--batch: '0' is not between" "$lesson2" --batch 0
refuse "--temperature: '0' is not above 1e-06" "$lesson2" --sample 5 --temperature 0
refuse "--part: with --sample only text is written" "$lesson2" --sample 5 --part 3
refuse "--temperature needs --sample" "$lesson2" --temperature 1
refuse "--prompt needs --sample" "$lesson2" --prompt A
refuse "--prompt: symbol # at position 1" "$lesson2" --sample 5 --prompt 'A#'
refuse "--prompt: symbol \\xC3 at position 0" "$lesson2" --sample 5 --prompt 'ä'
refuse "--targets needs --data" "$lesson3" --targets 2
refuse "--model: 'mlp' is none of bmlp, gated_mean" "$lesson3" --model mlp
refuse "--model: the file of --load names its own" "$lesson3" --model swish --load kept
refuse "--save: it is part 9" "$lesson3" --part 3 --save kept
refuse "--load: it is part 9" "$lesson3" --part 3 --load kept
refuse "--part: with --data" "$lesson3" --part 3 --data kept
refuse "--gate: 'IMPLY' is none of FALSE, AND" "$lesson4" --gate IMPLY
for table in 012 01 011 01101 0110100 011010011 x011 01-1; do
  refuse "--truth: '$table' is no table of four or eight digits" "$lesson4" --truth $table
done
refuse "--truth: --gate names a table already" "$lesson4" --gate XOR --truth 0110
refuse "--part: with --gate or --truth" "$lesson4" --part 3 --gate XOR
refuse "--export stands alone: --gate" "$lesson4" --export kept --gate XOR
refuse "--images and --labels need each other" "$lesson5" --images kept
refuse "--images and --labels need each other" "$lesson5" --labels kept

# ---------------------------------------------------------------------------------------------------- wrong files

: >empty
printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' >same
printf 'abababab' >short
refuse "--text: cannot read 'missing': no such file" "$lesson2" --text missing
refuse "--text: cannot read '.': it is a directory" "$lesson2" --text .
refuse "--text: cannot read '/dev/null': not a regular file" "$lesson2" --text /dev/null
refuse "--text: 'empty' is empty" "$lesson2" --text empty
refuse "--text: 'same' has only one distinct symbol" "$lesson2" --text same
refuse "--text: 'short' has 8 symbols" "$lesson2" --text short

# These must be noticed before the training, which would go on for days.
long="--sample 5 --steps 1000000000"
refuse "--save: cannot write 'missing/model'" "$lesson2" $long --save missing/model
refuse "--save: cannot write '.': it is a directory" "$lesson2" $long --save .
refuse "--save: cannot write 'plain/model'" "$lesson2" $long --save plain/model
refuse "--save: cannot write 'dangling': it is a link" "$lesson2" $long --save dangling
refuse "--save: cannot write 'loop': it is a link" "$lesson2" $long --save loop
refuse "--save: with --load" "$lesson2" $long --save kept --load kept

small="--context 2 --dim 2 --hidden 5 --steps 5"
accept "$lesson2" $small --sample 5 --save model
spoil() { sed "$1" model >"$2"; } # the header's length must stay, so one character replaces one
wrong_model() { refuse "$2" "$lesson2" --sample 5 --load "$1"; }
check "a saved model is a safetensors file" loads model C W1 b1 W2 b2
wrong_model missing "--load: cannot read 'missing': no such file"
wrong_model . "--load: cannot read '.': it is a directory"
wrong_model empty "--load: cannot read 'empty': not a safetensors file"
wrong_model "$play" "not a safetensors file"
for bytes in 4 8 100 700 1000 $(($(wc -c <model) - 1)); do
  dd if=model of=cut bs=1 count="$bytes" 2>/dev/null
  wrong_model cut "--load: cannot read 'cut': "
done
{ cat model; printf x; } >longer
wrong_model longer "1 bytes after the last tensor"
spoil 's/"b1":/"bX":/' bad && wrong_model bad "--load: 'bad': no tensor \"b1\""
spoil 's/"W1":/"WX":/' bad && wrong_model bad "--load: 'bad': no tensor \"W1\""
spoil 's/"shape":\[1,5\]/"shape":[5,1]/' bad && wrong_model bad "'bad': tensor \"b1\" is [5,1], expected [1,5]"
spoil 's/"shape":\[4,5\]/"shape":[5,4]/' bad && wrong_model bad "the rows of W1 are no multiple"
spoil 's/"shape":\[4,5\]/"shape":[2,9]/' bad && wrong_model bad "bytes, not"
spoil 's/"F32","shape":\[66,2\]/"F64","shape":[66,1]/' bad && wrong_model bad "is F64, expected F32"
spoil 's/"F32"/"F16"/' bad && wrong_model bad "unknown dtype"
spoil 's/"lesson":"2"/"lesson":"3"/' bad && wrong_model bad "holds no model of lesson 2 (lesson: 3"
spoil 's/"symbols":"0a20/"symbols":"0a22/' bad && wrong_model bad "other symbols"
{ dd if=model bs=1 count=$(($(wc -c <model) - 4)) 2>/dev/null; printf '\377\377\377\177'; } >bad
wrong_model bad "holds a number that is not finite"
accept "$lesson1" --export other && wrong_model other "holds no model of lesson 2 (lesson: 1"
tr 'Z' '#' <"$play" >other_symbols
refuse "other symbols" "$lesson2" --text other_symbols --sample 5 --load model
for flag in --context --dim --hidden --batch; do
  refuse "$flag: the model of --load has its own" "$lesson2" --load model $flag 8
done

# Images in IDX form: 120 of 2 x 2 pixels, and their labels.
pixels() { awk -v n="$1" 'BEGIN { for (k = 0; k < n; ++k) printf "%c", 33 + k * k % 90 }'; }
{ printf '\000\000\010\003\000\000\000\170\000\000\000\002\000\000\000\002'; pixels 480; } >images
{ printf '\000\000\010\001\000\000\000\170'; head -c 120 /dev/zero | tr '\000' '\003'; } >labels
wrong_idx() { refuse "$3" "$lesson5" --images "$1" --labels "$2"; }
wrong_idx missing labels "--images: cannot read 'missing': no such file"
wrong_idx . labels "it is a directory"
wrong_idx labels images "cannot read 'labels'"
wrong_idx "$play" labels "--images: cannot read"
head -c 400 images >cut && wrong_idx cut labels "cannot read 'cut'"
{ cat images; printf x; } >longer && wrong_idx longer labels "cannot read 'longer'"
head -c 100 labels >cut && wrong_idx images cut "cannot read 'cut'"
{ printf '\000\000\010\003\377\377\377\377\377\377\377\377\377\377\377\377'; pixels 480; } >huge
wrong_idx huge labels "cannot read 'huge'"
refuse "--save: 'images' is read by this run" "$lesson5" --images images --labels labels --save ./images
refuse "--save: 'page/fooling.svg' is written by the lesson itself" "$lesson5" --out page --save page/fooling.svg
accept "$lesson5" --images images --labels labels --part 6 --steps 3 --out page
accept "$lesson5" --quick --part 3 --out page --save net
check "a saved net of lesson 5 is a safetensors file" loads net W V U
refuse "--load: 'net': is made for 144 pixels, and these images have 4" "$lesson5" --images images --labels labels --load net
refuse "--load: 'model': holds no net of lesson 5 (lesson: 2" "$lesson5" --load model
sed 's/"W"/"Y"/' net >bad; refuse "--load: 'bad': no tensor \"W\"" "$lesson5" --load bad
accept "$lesson5" --quick --part 7 --load net --out page

# Lesson 6. A small run, stored half-way, at its end, and gone on with.
refuse "--heads: '0' is not between" "$lesson6" --heads 0
refuse "--heads: 5 heads do not divide a width of 32" "$lesson6" --heads 5
refuse "--width: '0' is not between" "$lesson6" --width 0
refuse "a twentieth of it must be longer than the context of 4000" "$lesson6" --context 4000 --batch 1
refuse "--dropout: a probability is not negative" "$lesson6" --dropout -.5
refuse "--attention: 'bam' is none of" "$lesson6" --attention bam
refuse "--config: 'D' is none of" "$lesson6" --config D
refuse "--recipe: 'gpt' is none of" "$lesson6" --recipe gpt
refuse "--config: --recipe and --resume train one model" "$lesson6" --recipe C --config A
refuse "--head: 'loose' is neither tied nor own" "$lesson6" --head loose
refuse "--start: 'gpt' is none of own, large, small, published" "$lesson6" --start gpt
refuse "--save-every needs --save" "$lesson6" --recipe C --save-every 5
refuse "need --recipe or --resume" "$lesson6" --stop-at 5 --save late
refuse "--load: with --resume" "$lesson6" --load late --resume late
refuse "--sample: store the model with --save" "$lesson6" --recipe C --sample 5
refuse "--part: with --sample" "$lesson6" --sample 5 --part 1
refuse "--resume: cannot read 'nothing'" "$lesson6" --resume nothing
refuse "--resume: 'model': holds no model of lesson 6 (lesson: 2" "$lesson6" --resume model
refuse "--images and --labels need each other" "$lesson6" --images images
accept "$lesson6" --part 7 --images images --labels labels --patch 1 --steps 3 --out page  # all of one class
tiny="--width 8 --heads 2 --context 8 --batch 4 --dropout .1 --attention bma --out page"
accept "$lesson6" --recipe C --steps 20 $tiny --save whole
accept "$lesson6" --recipe C --steps 20 $tiny --save part --stop-at 7 --save-every 3
accept "$lesson6" --resume part --save rest --threads 1 --out page
check "--resume goes on to the bit" cmp whole rest
check "a checkpoint has the names of a state_dict" loads whole tok.weight blocks.0.attn.qkv.weight blocks.0.attn.gate \
  blocks.0.mlp.down.weight head.bias optimizer.mean.norm.weight
refuse "differs in heads: 2 there, 4 here" "$lesson6" --resume part --heads 4
refuse "differs in attention: bma there, post here" "$lesson6" --load part --attention post --part 8
refuse "differs in steps: 20 there, 30 here" "$lesson6" --resume part --steps 30
refuse "differs in start: own there, large here" "$lesson6" --resume part --start large
refuse "differs in tied: no there, yes here" "$lesson6" --resume part --start published
cp part same
accept "$lesson6" --resume same --save same --out page
check "a run may be stored where it came from" cmp whole same
head -c 20000 "$play" >short
refuse "was trained on" "$lesson6" --resume part --text short
accept "$lesson6" --load whole --sample 30
check "--sample writes that many symbols and a newline" test "$(wc -c <"$out")" -eq 31
refuse "--prompt: symbol" "$lesson6" --load whole --sample 5 --prompt '#'
sed 's/"width":"8"/"width":"9"/' whole >bad; refuse "'bad': tensor 'tok.weight' is [65,8], and the metadata say [65,9]" "$lesson6" --load bad
sed 's/"layers":"1"/"layers":"9"/' whole >bad; refuse "'bad': no tensor" "$lesson6" --load bad
sed 's/"heads":"2"/"heads":"3"/' whole >bad; refuse "a width of 8 is not divisible by 3 heads" "$lesson6" --load bad
sed 's/"start":"own"/"start":"gpt"/' whole >bad; refuse "'bad': its start: 'gpt' is none of" "$lesson6" --load bad
sed 's/"done":"20"/"done":"21"/' whole >bad; refuse "its done, '21', is no number from 0 to 20" "$lesson6" --resume bad
sed 's/"context":"8"/"context":"x"/' whole >bad; refuse "its context, 'x', is no number" "$lesson6" --load bad
sed 's/"symbols":"0a20/"symbols":"2020/' whole >bad; refuse "its symbols are not two or more bytes in ascending order" "$lesson6" --load bad --sample 5
accept "$lesson6" --recipe C --steps 2 --width 8 --heads 2 --context 512 --batch 1 --out page --save wide
head -c 4000 "$play" >short
refuse "was trained on other symbols" "$lesson6" --load wide --text short --part 8
{ printf '\n !$&'; printf "',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"; head -c 3000 "$play"; } >short
refuse "a tenth of this text has no more than" "$lesson6" --load wide --text short --part 8
head -c 3000 whole >bad; refuse "truncated" "$lesson6" --load bad
# Killed again and again while it saves after each step, it leaves a file that can be gone on with, every time.
killed() {
  for pause in .05 .1 .15 .2; do
    "$lesson6" --recipe C $tiny --steps 4000 --save kept --save-every 1 >"$out" 2>"$err" &
    child=$!
    while [ ! -f kept ] && kill -0 $child 2>/dev/null; do sleep .02; done
    sleep $pause; kill -9 $child; wait $child 2>/dev/null
    loads kept tok.weight optimizer.square.head.bias || return 1
    "$lesson6" --resume kept --stop-at 1 --save going >"$out" 2>"$err" || return 1
  done
}
check "a kill in the middle of a save loses nothing" killed
check "nor --recipe nor --resume touches index.html" test ! -e page/index.html -a -s page/run.html
rm -f kept* going bad short whole part rest same wide
presentable "lesson 5, a loaded net" "$out"
rm -r page

# Tables of numbers.
wrong_table() { printf "$1" >table; refuse "$2" "$lesson3" --data table; }
wrong_table '' "--data: cannot read 'table': the file is empty"
wrong_table '1,2\n3,4\n' "the first line must name the columns"
wrong_table 'a,b\n' "no row of numbers follows the header"
wrong_table 'a;b\n1;2\n' "cells must be separated by commas"
wrong_table 'a,b\n1,2\n3,4\n5\n' "row 3 has 1 cell"
wrong_table 'a,b\n1,2\n3,4,5\n' "row 2 has 3 cells"
wrong_table 'a,price\n1,2\n3,abc\n' 'row 2, column "price": "abc" is no number (line 3 of the file)'
wrong_table 'a,price\n1,2\n3,nan\n' 'row 2, column "price": "nan" is no number'
wrong_table 'a,price\n1,2\n3,\n' 'row 2, column "price"'
wrong_table 'a,b\n1,2\n1,4\n' 'column "a" is constant'
wrong_table 'a,b\n1,2\n3,4\n' "'table': has 2 rows; at least 20 are needed"
refuse "--data: cannot read 'missing': no such file" "$lesson3" --data missing
refuse "--save: 'table' is read by this run" "$lesson3" --data table --save ./table
refuse "--save: 'page/index.html' is written by the lesson itself" "$lesson3" --part 9 --out page --save page/index.html
refuse "--save: 'page/INDEX.HTML' is written by the lesson itself" "$lesson3" --part 9 --out page --save page/INDEX.HTML
refuse "--save: 'other_symbols' is read by this run" "$lesson2" --text other_symbols --save ./other_symbols
ln other_symbols hard_link && refuse "--save: 'other_symbols' is read by this run" "$lesson2" --text other_symbols --save hard_link
ln -s other_symbols soft_link && refuse "--save: 'other_symbols' is read by this run" "$lesson2" --text other_symbols --save soft_link
refuse "--data: cannot read '.': it is a directory" "$lesson3" --data .
awk 'BEGIN { print "a,b,c"; for (k = 0; k < 40; ++k) print k % 7 "," k % 5 "," k * k % 11 }' >table
refuse "'table': has 3 columns, so --targets 3 leaves no input" "$lesson3" --data table --targets 3
accept "$lesson4" --gate 'not x or y' --steps 200 --out page
web_page "the page of a gate" page/gate.html
grep -q 'This is NOT x OR y' "$out"; check "--gate knows a gate by any case" test $? -eq 0
presentable "--gate" "$out"
accept "$lesson4" --truth 01101001 --steps 200 --out page
presentable "--truth" "$out"
check "nor --gate nor --truth touches index.html" test ! -e page/index.html
rm -r page
accept "$lesson3" --data table --steps 20 --model outer --save learned --out page
tail -n +5 "$out" | sed -n '/^  output/,/^$/p' >"$work/kept"
presentable "a table of one's own" "$out"
web_page "the page of a table" page/data.html
check "--data does not touch index.html" test ! -e page/index.html
check "a saved model of lesson 3 is a safetensors file" loads learned W1 W2 W3 b2 X.mean T.deviation
accept "$lesson3" --data table --load learned --out page
sed -n '/^  output/,/^$/p' "$out" | cmp -s - "$work/kept"; check "--load predicts what --save predicted" test $? -eq 0
wrong_learned() { refuse "$2" "$lesson3" --data table --load "$1"; }
refuse "--load: 'learned': is made for 2 inputs and 1 targets, not for 16 and 4" "$lesson3" --part 9 --load learned
wrong_learned missing "--load: cannot read 'missing': no such file"
wrong_learned table "not a safetensors file"
wrong_learned model "'model': holds no model of lesson 3 (lesson: 2)"
cp learned good; learned() { sed "$1" good >bad; wrong_learned bad "$2"; }
learned 's/"outer"/"inner"/' "names the model 'inner', which is none of"
refuse "'learned' was trained with the seed 1: say --seed 1" "$lesson3" --data table --seed 2 --load learned
learned 's/"X.mean"/"X.meal"/' "--load: 'bad': no tensor \"X.mean\""
learned 's/"shape":\[1,256\]/"shape":[256,1]/' "is [256,1], expected [1,256]"
refuse "--save: cannot write 'missing/file'" "$lesson3" --data table --save missing/file
rm -r page

# An interrupted or diverged training leaves the old model, and nothing else, behind.
diverges() { # STATUS PART_OF_MESSAGE
  before=$(snapshot)
  run "$lesson2" --lr 100 --steps 300 --sample 5 --save model
  [ $status -eq 1 ] && [ "$(wc -l <"$err")" -eq 1 ] && [ "$before" = "$(snapshot)" ] &&
    grep -q 'lesson2: .* at step [0-9]* .* try a smaller --lr' "$err"
}
check "--lr 100 stops, says at which step and what to try" diverges
interrupted() {
  before=$(snapshot)
  (sleep 1; kill -INT "$(cat "$work/pid")") &
  sh -c 'echo $$ >"$0"; exec "$@"' "$work/pid" "$lesson2" $long --save model >"$out" 2>"$err"
  status=$?; wait
  [ $status -gt 128 ] && [ "$before" = "$(snapshot)" ]
}
if sh -c 'kill -INT $$; sleep 1; exit 0' 2>/dev/null; then note "Ctrl-C (it is ignored where this test was started)"
else check "Ctrl-C leaves nothing half-written" interrupted; fi
rm -rf ./*

# ------------------------------------------------------------------------------------------------- unusual texts

repeated() { awk -v n="$2" '{ lines = lines $0 "\n" } END { while (n-- > 0) printf "%s", lines }' "$1"; }
head -n 200 "$play" >part
sed 's/$/\r/' part >crlf
{ printf '\357\273\277'; cat part; } >marked
{ tr 'q' '\000' <part; printf '\000\000'; } >nul
code=0
while [ $code -lt 256 ]; do printf "\\$(printf %03o $code)"; code=$((code + 1)); done >once
for copy in 1 2 3 4 5 6 7 8 9 10 11 12; do cat once once; done >bytes
awk 'BEGIN { for (k = 0; k < 400000; ++k) printf "the quick brown fox jumps " }' >line
awk 'BEGIN { for (k = 0; k < 80; ++k) printf "%s", k * k % 7 }' >least
for text in crlf marked nul bytes line least; do
  accept "$lesson2" --text $text --quick --part 1 --out page
  presentable "part 1 on $text" "$out"
  accept "$lesson2" --text $text --steps 3 --sample 20
done
for text in bytes least; do
  accept "$lesson2" --text $text --quick --out page
  presentable "lesson 2 on $text" "$out"
  web_page "index.html on $text" page/index.html
done
rm -rf ./*

# -------------------------------------------------------------------------------------------------- what is right

# What the parts print: without the title, the answer, the closing and the empty lines, and the lines that state threads and times.
body() { sed -e '1,/^Seed .* threads*\.$/d' -e '/^The answer$/,$d' -e '/^[0-9]* of [0-9]* claims hold/,$d' "$1" | sed -e '/ took .* s /d' -e '/^$/d'; }
pictures() { (cd page && cksum ./*.svg); }

# The same bytes with 1, 2, 3 and 8 threads, as a whole and part by part. With COURSE_BRIEF set it is left out: under the
# sanitizers it would take minutes, and what it would see there the other tests see too.
same_bytes() {
  for threads in 1 2 8; do
    accept "$lesson" --quick --all --threads $threads --out page
    body "$out" >"$work/body.$threads"
    pictures >"$work/svg.$threads"
    check "$title with $threads threads prints the same" cmp "$work/body.1" "$work/body.$threads"
    check "$title with $threads threads draws the same" cmp "$work/svg.1" "$work/svg.$threads"
  done
  presentable "$title --quick" "$out"
  web_page "$title: index.html" page/index.html
  mv page whole; : >"$work/body.3"; part=$first
  while [ "$part" -le "$last" ]; do
    accept "$lesson" --quick --all --threads 3 --part "$part" --out page
    check "$title --part $part runs that part" grep -q "^$part\\. " "$out"
    body "$out" >>"$work/body.3"
    web_page "$title: the page of part $part" "page/part$part.html"
    part=$((part + 1))
  done
  check "$title part by part writes no index.html" test ! -e page/index.html
  rm -r whole
  pictures >"$work/svg.3"
  check "$title part by part prints the same" cmp "$work/body.1" "$work/body.3"
  check "$title part by part draws the same" cmp "$work/svg.1" "$work/svg.3"
  check "$title has a text and draws" test -s "$work/body.1" -a -s "$work/svg.1"
  check "$title leaves no temporary file" test -z "$(find . -name '*.tmp')"
}

for number in $numbers; do
  lesson=$programs/lesson$number
  title=$(name_of "$lesson")
  accept "$lesson" --help
  presentable "$title --help" "$out"
  check "$title --help writes nothing" test -z "$(ls)"
  check "$title --help says what output is" grep -q '^Output is UTF-8' "$out"
  first=$(sed -n 's/.*run this part only (\([0-9]*\) to.*/\1/p' "$out")
  last=$(sed -n 's/.*run this part only ([0-9]* to \([0-9]*\)).*/\1/p' "$out")
  check "$title --help names the parts" test "${last:-0}" -gt "${first:-0}"

  if [ -z "$COURSE_BRIEF" ]; then same_bytes; else part=$((last + 1)); fi
  refuse "--part: '$part' is not between" "$lesson" --part "$part"

  accept "$lesson" --export one
  accept "$lesson" --export two
  check "$title --export is the same each time" cmp one two
  check "$title --export loads" loads one $(case $title in lesson1) echo input.X mlp.loss ;; lesson2) echo input.contexts bengio.loss ;; lesson3) echo input.T outer.loss product2.grad.X ;; lesson4) echo input.T product.loss product.grad.X gates.truth ;; lesson5) echo input.labels net.loss net.grad.X fold.eigenvectors ;; lesson6) echo input.X bma.loss post.grad.Wp standard.output.Y lm.grad.blocks.1.attn.qkv.weight ;; esac)
  check "$title --export has all gradients" every_parameter_has_a_gradient one
  rm -rf ./*
done

sample() { accept "$lesson2" $small --sample 50 "$@"; cp "$out" "$work/sample"; }
sample --seed 7 --save model; cp "$work/sample" "$work/saved"
accept "$lesson2" --load model --seed 7 --sample 50
check "--load writes what --save wrote" cmp "$work/saved" "$out"
check "--sample writes that many symbols and a newline" test "$(wc -c <"$out")" -eq 51
sample --seed 7 --threads 3; check "--seed repeats a run" cmp "$work/saved" "$work/sample"
sample --seed 8; check "another seed, another run" test "$(cat "$work/saved")" != "$(cat "$work/sample")"
sample --seed 7 --prompt 'First'; check "--prompt stands first" grep -q '^First' "$work/sample"
accept "$lesson2" --quick --part 1 --out page --save late
check "--save trains where no part did" loads late C W1 b1 W2 b2

# What the names of files hold does not reach the terminal.
name=$(printf 'a\033[31m\nb')
for flag in --export --out; do
  run "$lesson1" --quick --part 2 "$flag" "$name"
  check "control bytes of $flag" no_controls "$out"
  check "a newline of $flag" test "$(sed -n '/^wrote /,$p' "$out" | grep -vc '^wrote ')" -eq 0
  rm -rf "$name"
done
run "$lesson2" --quick --part 1 --out page --save "$name"; check "control bytes of --save" no_controls "$out"
rm -rf ./*

# Whatever the locale is, output is UTF-8.
run "$lesson1" --part 2 --out page; cp "$out" "$work/plain"
run env LC_ALL=C.UTF-8 "$lesson1" --part 2 --out page
check "the same bytes in every locale" cmp "$work/plain" "$out"
check "pictures are drawn with more than ASCII" test -n "$(sed -n '/^wrote/q; /┤/p' "$out")"

# Output that nobody receives is no success.
lost() { # PROGRAM FLAGS...
  if [ "$where" = closed ]; then "$@" >&- 2>"$err"; else "$@" >"$where" 2>"$err"; fi
  [ $? -eq 2 ] && [ "$(wc -l <"$err")" -eq 1 ] && grep -q ': the output could not be written$' "$err"
}
for where in closed /dev/full; do
  [ $where = closed ] || [ -c $where ] || { note "a full disk (/dev/full is not here)"; continue; }
  for number in $numbers; do
    check "lesson$number --help to $where" lost "$programs/lesson$number" --help
    check "lesson$number --export to $where" lost "$programs/lesson$number" --export one
    check "lesson$number --part 1 to $where" lost "$programs/lesson$number" --quick --part 1 --out page
  done
  check "lesson2 --sample to $where" lost "$lesson2" $small --sample 2000
  check "lesson6 --sample to $where" lost "$lesson6" --steps 2 $tiny --sample 50
done
rm -rf ./*

# What does not fit is refused before any work. What an address sanitizer takes does not fit anywhere.
memory=1000000
if limited "$lesson1" --help >"$out" 2>&1; then
  dd if=/dev/zero of="$work/large" bs=1 count=0 seek=2000000000 2>/dev/null
  refuse "--context, --dim, --hidden, --batch, --threads: about 64 GB of memory would be needed, and there are 1" \
    "$lesson2" --context 64 --dim 4096 --hidden 4096 --threads 1
  refuse "--hidden, --batch, --threads: about" "$lesson2" --batch 65536 --dim 512 --sample 5 --threads 1
  refuse "--width, --context, --batch, --threads: about" "$lesson6" --context 2048 --batch 4096
  refuse "--width, --context, --batch, --threads: about" "$lesson6" --layers 64 --width 4096
  refuse "--width, --context, --batch, --threads: about" "$lesson6" --recipe nanogpt --width 1024
  refuse "--steps: about" "$lesson1" --steps 1000000000
  refuse "--steps: about" "$lesson4" --steps 1000000000
  refuse "--text: cannot read '$work/large': about" "$lesson2" --text "$work/large" --threads 1
  refuse "--text: cannot read '$work/large': about" "$lesson6" --text "$work/large" --threads 1
  refuse "--data: cannot read '$work/large': about" "$lesson3" --data "$work/large" --threads 1
  awk 'BEGIN { for (c = 0; c < 60; ++c) printf "c%d,", c; print "y"
               for (r = 0; r < 60000; ++r) { for (c = 0; c < 60; ++c) printf "%d,", (r * (c % 5 + 1) + c) % 11; print r % 9 } }' >"$work/wide"
  refuse "--data, --threads: about" "$lesson3" --data "$work/wide" --threads 1
  for number in 2 3 5 6; do
    refuse "--load: cannot read '$work/large': about" "$programs/lesson$number" --load "$work/large" --threads 1
  done
  refuse "--images: cannot read '$work/large': about" "$lesson5" --images "$work/large" --labels "$work/large" --threads 1
  refuse "--images: cannot read '$work/large': about" "$lesson6" --images "$work/large" --labels "$work/large" --threads 1
  memory=2000000 # less than what 255 stacks take
  for number in $numbers; do refuse "--threads: 256 cannot be had (" "$programs/lesson$number" --threads 256; done
else note "what does not fit into the memory (the programs do not start in 1 GB)"; fi
memory=

# A program finds the course's text from where it lies, whether it is called through PATH or by a link.
if [ "$programs" = "$work/emulated" ]; then note "PATH and links (the programs are emulated)"; else
  mkdir -p "$work/tree/build" "$work/tree/common/data" "$work/links"
  cp "$lesson2" "$work/tree/build" && head -c 30000 "$play" >"$work/tree/common/data/play.txt"
  ln -s ../tree/build/lesson2 "$work/links/lesson2"
  for folder in tree/build links; do
    run env PATH="$work/$folder:$PATH" lesson2 --quick --part 1 --out page
    check "the text of a program in PATH, $folder" grep -q '30000' "$out"
  done
  run "$work/links/lesson2" --quick --part 1 --out page; check "the text of a linked program" grep -q '30000' "$out"
fi

# Colour is for windows; script(1) provides one.
in_window() { script -qec "$1" /dev/null </dev/null; }
if command -v script >/dev/null && in_window true >/dev/null 2>&1; then
  escape=$(printf '\033')
  command="TERM=xterm '$lesson1' --part 1 --out page 2>/dev/null"
  in_window "$command" >"$out"; check "colour in a window" grep -q "$escape" "$out"
  in_window "NO_COLOR=1 $command" >"$out"; check "NO_COLOR: the lesson runs" grep -qF '[ok]' "$out"
  grep -q "$escape" "$out"; check "NO_COLOR: no colour" test $? -eq 1
  for number in $numbers; do
    in_window "stty cols 40; NO_COLOR=1 '$programs/lesson$number' --quick --threads 2 --out page 2>/dev/null" | tr -d '\r' >"$out"
    grep -v '^wrote ' "$out" >"$work/lines"
    check "lesson$number in a window of 40 columns runs" grep -q 'claims hold' "$out"
    check "lesson$number keeps to a window of 40 columns" narrow "$work/lines" 40
  done
else note "NO_COLOR (script is not here)"; fi

echo "test_bad_input: $checks checks, $failed failed"
[ $failed -eq 0 ]
