#!/bin/sh
# What the lesson programs do with wrong flags, files and signals, and what their output keeps to: one line on stderr
# and exit status 2 for wrong input, nothing half-written, the same bytes from every run.
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
for number in $numbers; do eval "lesson$number=\$programs/lesson$number"; done
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
run() { "$@" >"$out" 2>"$err" </dev/null; status=$?; }
snapshot() { find . -type f -exec cksum {} + -o -print | sort; }
call() { echo "${1##*/} $(shift; echo "$*" | cut -c 1-100 | tr '\n' ' ')"; }

# A program that trains where it should refuse is stopped after a minute. $memory: the kilobytes that it gets, or all.
memory=
limited() { (ulimit -t 60; [ -z "$memory" ] || ulimit -v "$memory"; exec "$@"); }
refused() { # PART_OF_MESSAGE PROGRAM FLAGS...: one line on stderr, exit status 2
  message=$1; shift; checks=$((checks + 1))
  run limited "$@"
  said=$(cat "$err")
  [ $status -eq 2 ] || { fail "$(call "$@"): exit status $status, not 2"; return; }
  [ "$(wc -l <"$err")" -eq 1 ] || fail "$(call "$@"): not one line on stderr: $said"
  case $said in "${1##*/}: "*) ;; *) fail "$(call "$@"): does not name the program: $said" ;; esac
  case $said in *"$message"*) ;; *) fail "$(call "$@"): '$said' lacks '$message'" ;; esac
  [ ! -s "$out" ] || fail "$(call "$@"): wrote to stdout"
}
unchanged() { [ "$before" = "$(snapshot)" ] || { fail "$1: wrote files"; snapshot; }; }
refuse() { before=$(snapshot); refused "$@"; unchanged "$1"; } # the same, and no file is written

# Reads a table of what is refused, with lines "PART_OF_MESSAGE | WORDS" or "PART_OF_MESSAGE | WORDS | VALUES", which
# stand for one case with each value in turn: it is % in the message and $v in the words. KIND flags: the words are
# flags and stand behind LESSON FLAGS. KIND files: the words are a command, and what it prints is in the file `bad`.
refuse_all() { # KIND LESSON FLAGS...
  kind=$1; shift; given=$* before=$(snapshot)
  while IFS='|' read -r pattern words values; do
    eval "set -- ${values:-''}"
    for v in "$@"; do
      part=${pattern% }
      case $part in *%*) part=${part%%\%*}$v${part#*%} ;; esac
      if [ $kind = flags ]; then eval "set -- $given $words"; else eval "$words" >bad; eval "set -- $given"; fi
      program=$programs/lesson$1; shift
      refused "$part" "$program" "$@"
    done
  done
  rm -f bad; unchanged "one up to '$part'"
}
accept() { # PROGRAM FLAGS...
  checks=$((checks + 1))
  run "$@"
  [ $status -eq 0 ] || fail "$(call "$@"): exit status $status: $(cat "$err") $(grep FAIL "$out")"
  [ ! -s "$err" ] || fail "$(call "$@"): stderr is $(cat "$err")"
}

# --------------------------------------------------------------------------------------------- properties of output

# Lines wider than 80 code points, or $2: bytes that continue a UTF-8 character do not count.
narrow() {
  awk -v most="${2:-80}" '{ gsub(/[\200-\277]/, "") } length($0) > most { print; wide = 1 } END { exit wide }' "$1"
}
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
    sub(/.*</, "") { tag = $1; if (sub(/^\//, "", tag)) --open[tag]; else ++open[tag] }
    END { for (tag in open) if (open[tag] != 0 && tag !~ /^(!doctype|!--|meta|input|br|hr)$/) { print tag, open[tag]; bad = 1 }
          exit bad }'
}
self_contained() {
  ! sed 's/xmlns="http:\/\/www\.w3\.org\/[^"]*"//g' "$1" | grep -qE 'https?:|src=|<link|<script[^>]|@import|url\('
}
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
  header "$1" | tr '"' '\n' >"$work/names"
  grep '\.param\.' "$work/names" | sed 's/\.param\./.grad./' | sort >"$work/wanted"
  [ -s "$work/wanted" ] && sort "$work/names" | comm -23 "$work/wanted" - | grep . && return 1
  [ -s "$work/wanted" ]
}

# ---------------------------------------------------------------------------------------------------- wrong flags

newline='
'
ln -s nowhere dangling
ln -s loop loop
echo kept >plain
for number in $numbers; do
  refuse_all flags $number <<'END'
unknown flag '%' | $v | --colour -q
stray word 'word' | word
stray word '5' | --quick 5
--out needs a value | $v | '--quick --out' '--out --quick'
--out needs a value | --out ''
--steps: '%' is not between 1 and | --steps $v | -1 0 99999999999999999999
--steps: '%' is not a whole number | --steps $v | abc 1.5
--seed: '-1' is not between 0 and | --seed -1
--threads: '0' is not between 1 and | --threads 0
--seed stands twice | --seed 1 --seed 2
--quick stands twice | --quick --quick
--part: '99' is not between | --part 99
--out: | --out $v | plain/below plain
--export: cannot write 'missing/file' | --export missing/file
--export: cannot write '.': it is a directory | --export .
--export: cannot write '/dev/null': not a regular file | --export /dev/null
--export: cannot write '%': it is a link that leads to no file | --export $v | dangling loop
--export stands alone: --seed would have no effect | --export kept --seed 5
--export stands alone: --quick would have no effect | --quick --export kept
END
  refuse "unknown flag '--two lines'" "$programs/lesson$number" "--two${newline}lines"
done
: >empty
printf '%090d' 0 >same
printf 'abababab' >short
long="--sample 5 --steps 1000000000" # what is wrong must be noticed before the training, which would go on for days
refuse_all flags <<'END'
unknown flag '--text' | 1 --text "$play"
--lr: '%' is not | 2 --lr "$v" | nan inf -1 0 1e999 abc 0.1x ' 1' '1 ' 0x1
--batch: '0' is not between | 2 --batch 0
--symbols: 'letters' is neither bytes nor words | $v --symbols letters | 2 6
--temperature: '0' is not above 1e-06 | 2 --sample 5 --temperature 0
--part: with --sample only text is written | 2 --sample 5 --part 3
--% needs --sample | 2 --$v 1 | temperature prompt
--prompt: symbol # at position 1 | 2 --sample 5 --prompt 'A#'
--prompt: symbol \xC3 at position 0 | 2 --sample 5 --prompt 'ä'
--text: cannot read 'missing': no such file | 2 --text missing
--text: cannot read '.': it is a directory | 2 --text .
--text: cannot read '/dev/null': not a regular file | 2 --text /dev/null
--text: 'empty' is empty | 2 --text empty
--text: 'same' has only one distinct symbol | 2 --text same
--text: 'short' has 8 symbols | 2 --text short
--save: cannot write '%' | 2 $long --save $v | missing/model plain/model
--save: cannot write '.': it is a directory | 2 $long --save .
--save: cannot write '%': it is a link | 2 $long --save $v | dangling loop
--save: with --load | 2 $long --save kept --load kept
--targets needs --data | 3 --targets 2
--model: 'mlp' is none of bmlp, gated_mean | 3 --model mlp
--model: the file of --load names its own | 3 --model swish --load kept
--%: it is part 9 | 3 --part 3 --$v kept | save load
--part: with --data | 3 --part 3 --data kept
--data: cannot read 'missing': no such file | 3 --data missing
--data: cannot read '.': it is a directory | 3 --data .
--save: '%' is written by the lesson itself | 3 --part 9 --out page --save $v | page/index.html page/INDEX.HTML
--gate: 'IMPLY' is none of FALSE, AND | 4 --gate IMPLY
--truth: '%' is no table of four or eight digits | 4 --truth $v | 012 01 011 01101 0110100 011010011 x011 01-1
--truth: --gate names a table already | 4 --gate XOR --truth 0110
--part: with --gate or --truth | 4 --part 3 --gate XOR
--export stands alone: --gate | 4 --export kept --gate XOR
--images and --labels need each other | $v kept | '5 --images' '5 --labels'
--labels needs --images | 6 --labels kept
--images: cannot read 'kept': no such file | 6 --part 7 --images kept
--save: 'page/fooling.svg' is written by the lesson itself | 5 --out page --save page/fooling.svg
--export stands alone: --resume would have no effect | 6 --export kept --resume nix --save s9
--%: '0' is not between | 6 --$v 0 | heads width
--heads: 5 heads do not divide a width of 32 | 6 --heads 5
a twentieth of it must be longer than the context of 4000 | 6 --context 4000 --batch 1
--dropout: a probability is not negative | 6 --dropout -.5
--%: 'gtp' is none of | 6 --$v gtp | attention config recipe
--start: 'gpt' is none of own, large, small, published | 6 --start gpt
--config: --recipe and --resume train one model | 6 --recipe C --config A
--head: 'loose' is neither tied nor own | 6 --head loose
--save-every needs --save | 6 --recipe C --save-every 5
need --recipe or --resume | 6 --stop-at 5 --save late
--load: with --resume | 6 --load late --resume late
--sample: store the model with --save | 6 --recipe C --sample 5
--part: with --sample | 6 --sample 5 --part 1
--resume: cannot read 'nothing' | 6 --resume nothing
END

# ---------------------------------------------------------------------------------------------------- wrong files

small="--context 2 --dim 2 --hidden 5 --steps 5"
accept "$lesson2" $small --sample 5 --save model
accept "$lesson1" --export other
check "a saved model is a safetensors file" loads model C W1 b1 W2 b2
size=$(wc -c <model)
refuse_all files 2 --sample 5 --load bad <<'END'
--load: cannot read 'bad': not a safetensors file | cat empty
not a safetensors file | cat "$play"
--load: cannot read 'bad': | head -c $v model | 4 8 100 700 1000 $((size - 1))
1 bytes after the last tensor | cat model; printf x
--load: 'bad': no tensor "%1" | sed "s/\"${v}1\":/\"${v}X\":/" model | b W
'bad': tensor "b1" is [5,1], expected [1,5] | sed 's/"shape":\[1,5\]/"shape":[5,1]/' model
the rows of W1 are no multiple | sed 's/"shape":\[4,5\]/"shape":[5,4]/' model
bytes, not | sed 's/"shape":\[4,5\]/"shape":[2,9]/' model
is F64, expected F32 | sed 's/"F32","shape":\[66,2\]/"F64","shape":[66,1]/' model
unknown dtype | sed 's/"F32"/"F16"/' model
holds no model of lesson 2 (lesson: 3 | sed 's/"lesson":"2"/"lesson":"3"/' model
holds no model of lesson 2 (lesson: 1 | cat other
other symbols | sed 's/"symbols":"0a20/"symbols":"0a22/' model
holds a number that is not finite | head -c $((size - 4)) model; printf '\377\377\377\177'
END
tr 'Z' '#' <"$play" >other_symbols
ln other_symbols hard_link
ln -s other_symbols soft_link
refuse_all flags <<'END'
--load: cannot read 'missing': no such file | 2 --sample 5 --load missing
--load: cannot read '.': it is a directory | 2 --sample 5 --load .
other symbols | 2 --text other_symbols --sample 5 --load model
or of another kind | 2 --symbols words --sample 5 --load model
--%: the model of --load has its own | 2 --load model --$v 8 | context dim hidden batch
--load: 'model': holds no net of lesson 5 (lesson: 2 | 5 --load model
--resume: 'model': holds no model of lesson 6 (lesson: 2 | 6 --resume model
--save: 'other_symbols' is read by this run | 2 --text other_symbols --save $v | ./other_symbols hard_link soft_link
END

# Images in IDX form: 120 of 2 x 2 pixels, and their labels.
pixels() { awk -v n="$1" 'BEGIN { for (k = 0; k < n; ++k) printf "%c", 33 + k * k % 90 }'; }
{ printf '\000\000\010\003\000\000\000\170\000\000\000\002\000\000\000\002'; pixels 480; } >images
{ printf '\000\000\010\001\000\000\000\170'; head -c 120 /dev/zero | tr '\000' '\003'; } >labels
head -c 100 labels >cut
refuse_all flags 5 <<'END'
--images: cannot read 'missing': no such file | --images missing --labels labels
it is a directory | --images . --labels labels
cannot read 'labels' | --images labels --labels images
--images: cannot read | --images "$play" --labels labels
cannot read 'cut' | --images images --labels cut
--save: 'images' is read by this run | --images images --labels labels --save ./images
END
refuse_all flags 6 <<'END'
cannot read 'images': not a binary batch of CIFAR-10: 496 bytes | --part 7 --images images
END
refuse_all files 5 --images bad --labels labels <<'END'
cannot read 'bad' | head -c 400 images
cannot read 'bad' | cat images; printf x
cannot read 'bad' | printf '\000\000\010\003\377\377\377\377\377\377\377\377\377\377\377\377'; pixels 480
END
accept "$lesson5" --images images --labels labels --part 6 --steps 3 --out page
accept "$lesson5" --quick --part 3 --out page --save net
check "a saved net of lesson 5 is a safetensors file" loads net W V U
sed 's/"W"/"Y"/' net >changed
refuse_all flags 5 <<'END'
--load: 'net': is made for 144 pixels, and these images have 4 | --images images --labels labels --load net
--load: 'changed': no tensor "W" | --load changed
END
accept "$lesson5" --quick --part 7 --load net --out page
presentable "lesson 5, a loaded net" "$out"

# Lesson 6. A small run, stored half-way, at its end, and gone on with.
accept "$lesson6" --part 7 --images images --labels labels --patch 1 --steps 3 --out page # all of one class
rm -r page
tiny="--width 8 --heads 2 --context 8 --batch 4 --dropout .1 --attention bma --out page"
accept "$lesson6" --recipe C --steps 20 $tiny --save whole
accept "$lesson6" --recipe C --steps 20 $tiny --save part --stop-at 7 --save-every 3
accept "$lesson6" --resume part --save rest --threads 1 --out page
check "--resume goes on to the bit" cmp whole rest
check "a checkpoint has the names of a state_dict" loads whole tok.weight blocks.0.attn.qkv.weight \
  blocks.0.attn.gate blocks.0.mlp.down.weight head.bias optimizer.mean.norm.weight
cp part same
accept "$lesson6" --resume same --save same --out page
check "a run may be stored where it came from" cmp whole same
accept "$lesson6" --recipe C --symbols words --steps 20 $tiny --save in_words
accept "$lesson6" --recipe C --symbols words --steps 20 $tiny --save part_in_words --stop-at 7
accept "$lesson6" --resume part_in_words --symbols words --save rest_in_words --out page
check "--resume goes on with words" cmp in_words rest_in_words
accept "$lesson6" --load in_words --sample 30 --prompt 'The Duke'
check "a model of words writes them" grep -q '^The Duke' "$out"
head -c 20000 "$play" >short
accept "$lesson6" --load whole --sample 30
check "--sample writes that many symbols and a newline" test "$(wc -c <"$out")" -eq 31
accept "$lesson6" --recipe C --steps 2 --width 8 --heads 2 --context 512 --batch 1 --out page --save wide
head -c 4000 "$play" >shorter
{ fold -w 1 "$play" | sort -u | tr -d '\n'; head -c 3000 "$play"; } >all_once # every symbol of the play
sed 's/"done":"20"/"done":"21"/' whole >overdone
refuse_all flags 6 <<'END'
differs in heads: 2 there, 4 here | --resume part --heads 4
differs in attention: bma there, post here | --load part --attention post --part 8
differs in steps: 20 there, 30 here | --resume part --steps 30
differs in start: own there, large here | --resume part --start large
differs in tied: no there, yes here | --resume part --start published
was trained on | --resume part --text short
--prompt: symbol | --load whole --sample 5 --prompt '#'
its done, '21', is no number from 0 to 20 | --resume overdone
was trained on other symbols | --load wide --text shorter --part 8
or of another kind | --resume part --symbols words
a tenth of this text has no more than | --load wide --text all_once --part 8
END
refuse_all files 6 --load bad <<'END'
'bad': tensor 'tok.weight' is [65,8], and the metadata say [65,9] | sed 's/"width":"8"/"width":"9"/' whole
'bad': no tensor | sed 's/"layers":"1"/"layers":"9"/' whole
a width of 8 is not divisible by 3 heads | sed 's/"heads":"2"/"heads":"3"/' whole
'bad': its start: 'gpt' is none of | sed 's/"start":"own"/"start":"gpt"/' whole
its context, 'x', is no number | sed 's/"context":"8"/"context":"x"/' whole
its symbols: the bytes are not in ascending order | sed 's/"symbols":"0a20/"symbols":"2020/' whole
truncated | head -c 3000 whole
its symbols: ' t e' is no word | sed 's/ 20746865 / 20742065 /' in_words
its symbols: ' the' is no word, or is there twice | sed 's/ 20616e64 / 20746865 /' in_words
END
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
rm -rf kept* going short* all_once overdone whole part rest same wide page

# Tables of numbers.
refuse_all files 3 --data bad <<'END'
--data: cannot read 'bad': the file is empty | :
the first line must name the columns | printf '1,2\n3,4\n'
no row of numbers follows the header | printf 'a,b\n'
cells must be separated by commas | printf 'a;b\n1;2\n'
row 3 has 1 cell | printf 'a,b\n1,2\n3,4\n5\n'
row 2 has 3 cells | printf 'a,b\n1,2\n3,4,5\n'
row 2, column "price": "abc" is no number (line 3 of the file) | printf 'a,price\n1,2\n3,abc\n'
row 2, column "price": "nan" is no number | printf 'a,price\n1,2\n3,nan\n'
row 2, column "price" | printf 'a,price\n1,2\n3,\n'
column "a" is constant | printf 'a,b\n1,2\n1,4\n'
'bad': has 2 rows; at least 20 are needed | printf 'a,b\n1,2\n3,4\n'
END
awk 'BEGIN { print "a,b,c"; for (k = 0; k < 40; ++k) print k % 7 "," k % 5 "," k * k % 11 }' >table
accept "$lesson3" --data table --steps 20 --model outer --save learned --out page
tail -n +5 "$out" | sed -n '/^  output/,/^$/p' >"$work/kept"
presentable "a table of one's own" "$out"
web_page "the page of a table" page/data.html
check "--data does not touch index.html" test ! -e page/index.html
check "a saved model of lesson 3 is a safetensors file" loads learned W1 W2 W3 b2 X.mean T.deviation
accept "$lesson3" --data table --load learned --out page
sed -n '/^  output/,/^$/p' "$out" >"$work/loaded"
check "--load predicts what --save predicted" cmp "$work/kept" "$work/loaded"
refuse_all flags 3 <<'END'
'table': has 3 columns, so --targets 3 leaves no input | --data table --targets 3
--save: 'table' is read by this run | --data table --save ./table
--save: cannot write 'missing/file' | --data table --save missing/file
--load: 'learned': is made for 2 inputs and 1 targets, not for 16 and 4 | --part 9 --load learned
'learned' was trained with the seed 1: say --seed 1 | --data table --seed 2 --load learned
--load: cannot read 'missing': no such file | --data table --load missing
not a safetensors file | --data table --load table
'model': holds no model of lesson 3 (lesson: 2) | --data table --load model
END
refuse_all files 3 --data table --load bad <<'END'
names the model 'inner', which is none of | sed 's/"outer"/"inner"/' learned
--load: 'bad': no tensor "X.mean" | sed 's/"X.mean"/"X.meal"/' learned
is [256,1], expected [1,256] | sed 's/"shape":\[1,256\]/"shape":[256,1]/' learned
END
rm -r page

accept "$lesson4" --gate 'not x or y' --steps 200 --out page
web_page "the page of a gate" page/gate.html
check "--gate knows a gate by any case" grep -q 'This is NOT x OR y' "$out"
presentable "--gate" "$out"
accept "$lesson4" --truth 01101001 --steps 200 --out page
presentable "--truth" "$out"
check "nor --gate nor --truth touches index.html" test ! -e page/index.html
rm -r page

# An interrupted or diverged training leaves the old model, and nothing else, behind.
diverges() {
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
# A limit on the size of files is as a full disk, and no death by signal.
too_large() {
  before=$(snapshot)
  said=$( (ulimit -f 1; exec "$lesson2" $small --sample 5 --save model) 2>&1 >/dev/null)
  [ $? -eq 2 ] && [ "$before" = "$(snapshot)" ] && case $said in "lesson2: "*"cannot write 'model': "*) ;; *) false ;; esac
}
check "a limit on the size of files" too_large
if sh -c 'kill -INT $$; sleep 1; exit 0' 2>/dev/null; then note "Ctrl-C (it is ignored where this test was started)"
else check "Ctrl-C leaves nothing half-written" interrupted; fi
rm -rf ./*

# ------------------------------------------------------------------------------------------------- unusual texts

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

# What the parts print: without the title, the answer, the closing and the empty lines, and without the lines that state
# threads, times, and how many claims of a part hold.
body() {
  sed -e '1,/^Seed .* threads*\.$/d' -e '/^The answer$/,$d' -e '/^[0-9]* of [0-9]* claims hold/,$d' "$1" |
    sed -e '/ took .* s /d' -e '/^\[..\] [0-9]* of [0-9]* claims* holds*/d' -e '/^\[--\] [0-9]* shown/d' -e '/^$/d'
}
pictures() { (cd page && cksum ./*.svg); }
results() { sed -e '/^<p class="command">found by/d' -e '/ took .* s /d' "$1"; }

# The same bytes as a whole with one thread and part by part with several, 8, 3 and 2 in turn. With COURSE_BRIEF set it
# is left out: under the sanitizers it would take minutes, and what it would see there the other tests see too.
same_bytes() {
  accept "$lesson" --quick --all --threads 1 --out page
  body "$out" >"$work/whole"
  pictures >"$work/drawn"
  presentable "$title --quick" "$out"
  web_page "$title: index.html" page/index.html
  results page/index.html >"$work/page"
  accept "$lesson" --quick --out page/core
  check "$title prints at most 150 lines" test "$(wc -l <"$out")" -le 150
  rm -r page; : >"$work/parts"; part=$first threads="8 3 2"
  while [ "$part" -le "$last" ]; do
    threads="${threads#* } ${threads%% *}"
    accept "$lesson" --quick --all --threads "${threads##* }" --part "$part" --out page
    check "$title --part $part runs that part" grep -q "^$part\\. " "$out"
    body "$out" >>"$work/parts"
    part=$((part + 1))
  done
  results page/index.html >"$work/page.parts"
  web_page "$title: index.html, part by part" page/index.html
  check "$title part by part makes the same page" cmp "$work/page" "$work/page.parts"
  pictures >"$work/drawn.parts"
  grep -vxFf "$work/parts" "$work/whole" >"$work/more"
  check "$title as a whole prints what its parts print, with other threads too" test ! -s "$work/more"
  check "$title part by part, with other threads, draws the same" cmp "$work/drawn" "$work/drawn.parts"
  check "$title has a text and draws" test -s "$work/whole" -a -s "$work/drawn"
  check "$title leaves no temporary file" test -z "$(find . -name '*.tmp')"
}

for number in $numbers; do
  lesson=$programs/lesson$number title=lesson$number
  accept "$lesson" --version
  check "$title --version" grep -qx "$title, How neural networks compute [0-9]*\.[0-9]*\.[0-9]*" "$out"
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
  case $number in
    1) tensors="input.X mlp.loss" ;;
    2) tensors="input.contexts bengio.loss" ;;
    3) tensors="input.T outer.loss product2.grad.X" ;;
    4) tensors="input.T product.loss product.grad.X gates.truth" ;;
    5) tensors="input.labels net.loss net.grad.X fold.eigenvectors" ;;
    6) tensors="input.X bma.loss post.grad.Wp standard.output.Y lm.grad.blocks.1.attn.qkv.weight" ;;
  esac
  check "$title --export loads" loads one $tensors
  check "$title --export has all gradients" every_parameter_has_a_gradient one
  rm -rf ./*
done

sample() { accept "$lesson2" $small --sample 50 "$@"; cp "$out" "$work/sample"; }
sample --seed 7 --save model; cp "$work/sample" "$work/saved"
accept "$lesson2" --load model --seed 7 --sample 50
check "--load writes what --save wrote" cmp "$work/saved" "$out"
sample --seed 7 --symbols words --save words
accept "$lesson2" --load words --symbols words --seed 7 --sample 50
check "--load writes the words that --save wrote" cmp "$work/sample" "$out"
sample --seed 7
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
  ln -s "$work/large" large
  awk 'BEGIN { for (c = 0; c < 60; ++c) printf "c%d,", c; printf "y"
               for (k = 0; k < 3660000; ++k) printf k % 61 ? ",%d" : "\n%d", k * (k % 61 % 5 + 1) % 11 }' >"$work/wide"
  refuse "--context, --dim, --hidden, --batch, --threads: about 64 GB of memory would be needed, and there are 1" \
    "$lesson2" --context 64 --dim 4096 --hidden 4096 --threads 1
  refuse_all flags <<'END'
--hidden, --batch, --threads: about | 2 --batch 65536 --dim 512 --sample 5 --threads 1
--width, --context, --batch, --threads: about | 6 $v | '--context 2048 --batch 4096' '--layers 64 --width 4096'
--width, --context, --batch, --threads: about | 6 --recipe nanogpt --width 1024
--steps: about | $v --steps 1000000000 | 1 4
--text: cannot read 'large': about | $v --text large --threads 1 | 2 6
--data: cannot read 'large': about | 3 --data large --threads 1
--data, --threads: about | 3 --data "$work/wide" --threads 1
--load: cannot read 'large': about | $v --load large --threads 1 | 2 3 5 6
--images: cannot read 'large': about | $v --images large --labels large --threads 1 | 5 6
END
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
  in_window "'$lesson2' --quick --part 6 --out page" >"$out"; check "how far it is, in a window" grep -q ' a second, ' "$out"
  for number in $numbers; do
    command="NO_COLOR=1 '$programs/lesson$number' --quick --steps 3 --threads 2 --out page 2>/dev/null"
    in_window "stty cols 40; $command" | tr -d '\r' >"$out"
    grep -v '^wrote ' "$out" >"$work/lines"
    check "lesson$number in a window of 40 columns runs" grep -q 'claims hold' "$out"
    check "lesson$number keeps to a window of 40 columns" narrow "$work/lines" 40
  done
else note "NO_COLOR (script is not here)"; fi

echo "test_bad_input: $checks checks, $failed failed"
[ $failed -eq 0 ]
